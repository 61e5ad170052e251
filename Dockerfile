# syntax=docker/dockerfile:1
# Builds the one binary, then puts it alone into an image without a shell, run by a user without rights.

FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
# The caches make a second build short; what leaves this stage is outside them.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --release --locked --bin amlgraph \
 && strip --strip-all --output-file=/amlgraph target/release/amlgraph \
 && install --directory --mode=0700 /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /amlgraph /usr/local/bin/amlgraph
COPY LICENSE NOTICE /usr/share/doc/amlgraph/
# The embedded store; the only place that is written to.
COPY --from=build --chown=nonroot:nonroot /data /data
WORKDIR /data
VOLUME /data
USER nonroot
ENV AMLGRAPH_LISTEN=0.0.0.0:8080 \
    AMLGRAPH_DATABASE__URL=embedded:/data
EXPOSE 8080
STOPSIGNAL SIGTERM
# No HEALTHCHECK: there is nothing in the image that could ask. Orchestrators ask /health/live and /health/ready over HTTP.
ENTRYPOINT ["/usr/local/bin/amlgraph"]
CMD ["serve"]
