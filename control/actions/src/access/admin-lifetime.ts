/** How long an administrator's certificate is valid unless a person says so: kops's default for `export kubeconfig --admin`. */
export const ADMIN_LIFETIME_HOURS = 18;
