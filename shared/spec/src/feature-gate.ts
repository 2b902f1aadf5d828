/** Whether the value switches a feature gate on, read as kops does: by Go's strconv.ParseBool. */
export const isOn = (value: string): boolean => /^(1|t|true)$/i.test(value);
