#!/bin/sh
# Builds the six Kubernetes programs from Debian's source package, with a Go toolchain and an rsync that need not be installed.
# usage: build-kubernetes.sh VERSION SOURCE.orig.tar.gz SOURCE.debian.tar.xz TOOLS-ROOT WORK-DIR OUT-DIR
set -eu
version=$1 orig=$2 debian=$3 tools=$4 work=$5 out=$6

mkdir -p "$work/source" "$work/bin" "$out"
cd "$work/source"
tar -xf "$orig" --strip-components=1
tar -xf "$debian"
while read -r name _; do
  case $name in '' | '#'*) continue ;; esac
  patch --quiet -p1 <"debian/patches/$name"
done <debian/patches/series

# Kubernetes 1.20 brings a reflect2 that reads maps as Go did before 1.18: the API server would die of the first custom
# object that it is given. Debian has the version that knows both.
rm -r vendor/github.com/modern-go/reflect2
cp -r "$tools/usr/share/gocode/src/github.com/modern-go/reflect2" vendor/github.com/modern-go/reflect2

# The private rsync finds its libraries only through this wrapper, so that no other program picks them up.
cat >"$work/bin/rsync" <<EOF
#!/bin/sh
LD_LIBRARY_PATH=$(echo "$tools"/usr/lib/*-linux-gnu):$(echo "$tools"/lib/*-linux-gnu) exec $tools/usr/bin/rsync "\$@"
EOF
chmod +x "$work/bin/rsync"
for program in "$tools"/usr/lib/go-*/bin/*; do ln -sf "$program" "$work/bin/"; done

goroot=$(echo "$tools"/usr/lib/go-*)
export GOROOT="$goroot" GOPATH="$work/go" GOCACHE="$work/go-cache" HOME="$work" PATH="$work/bin:$PATH"
export GOPROXY=off GOFLAGS=-mod=vendor GOTOOLCHAIN=local
# Without a git checkout the version that the programs report must be given.
export KUBE_GIT_VERSION="v$version" KUBE_GIT_MAJOR="${version%%.*}" KUBE_GIT_TREE_STATE=clean
KUBE_GIT_MINOR=$(echo "$version" | cut -d. -f2)
export KUBE_GIT_MINOR KUBE_GIT_COMMIT=faecb196815e248d3ecfb03c680a4507229c2a56

make WHAT="cmd/kube-apiserver cmd/kube-controller-manager cmd/kube-scheduler cmd/kubelet cmd/kube-proxy cmd/kubectl"
cp _output/local/bin/linux/*/kube* "$out/"
