# The whole application in one image: the server, the built web app, and the embedded PostgreSQL for use without DATABASE_URL.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund
COPY . .
# The build tools are dependencies, because npm start builds, too.
RUN npm run build

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
COPY --from=build /app ./
# PostgreSQL refuses to run as root, and nothing here needs root. The code belongs to root, so the server can't change it.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Liveness only. /readyz is for proxies: a database outage is no reason to restart all containers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which doesn't forward SIGTERM. Run it with --init, because PostgreSQL leaves processes behind.
CMD ["node", "server/main.ts"]
