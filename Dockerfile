# The mock backend as an image: nova, nova-serve, and the libraries that they need. It has no shell and no package manager,
# and nothing in it runs as root.
#
#   make package
#   docker build --tag nova .
#   docker run --rm --publish 127.0.0.1:8080:8080 nova
#
# docs/verify.md explains the options; Tools/check-container runs each step in a chroot.

FROM debian:12-slim AS system
ARG TARGETARCH
COPY .build/packages/nova_*_${TARGETARCH}.deb /tmp/packages/
COPY Tools/packaging/container/collect /usr/local/bin/collect
# What the package recommends or suggests, and programs of an image need: gRPC, stored data, PostgreSQL, compression,
# and certificates.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libnghttp2-14 libpq5 libsqlite3-0 zlib1g \
    /tmp/packages/*.deb
RUN collect /image /usr/bin/nova /usr/bin/nova-serve /usr/lib/*-linux-gnu/libcurl.so.4 /usr/lib/*-linux-gnu/libcrypto.so.3 \
    /usr/lib/*-linux-gnu/libnghttp2.so.14 /usr/lib/*-linux-gnu/libpq.so.5 /usr/lib/*-linux-gnu/libsqlite3.so.0 \
    /lib/*-linux-gnu/libz.so.1 \
  && mkdir -p /image/etc/ssl/certs /empty \
  && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
  && printf 'root:x:0:0:root:/:/sbin/nologin\nnova:x:65532:65532:nova:/tmp:/sbin/nologin\n' > /image/etc/passwd \
  && printf 'root:x:0:\nnova:x:65532:\n' > /image/etc/group \
  && printf 'hosts: files dns\n' > /image/etc/nsswitch.conf

FROM scratch
COPY --from=system /image /
# The only folder that the user can write to: uploads, and settings of nova. With --read-only, it needs --tmpfs /tmp.
COPY --from=system --chown=65532:65532 /empty /tmp
ENV PATH=/usr/bin HOME=/tmp
WORKDIR /tmp
USER 65532:65532
EXPOSE 8080
# Of this server, whatever its options are: without a context, and past a proxy.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["/usr/bin/nova", "doctor", "--quiet", "--base-url", "http://127.0.0.1:8080"]
ENTRYPOINT ["/usr/bin/nova", "serve", "--host", "0.0.0.0"]
