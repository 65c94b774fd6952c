# The whole application in one image: the server, the built page, and the embedded PostgreSQL for those who set no DATABASE_URL.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund
COPY . .
# The tools that build the page are dependencies, because npm start builds too.
RUN npm run build

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
COPY --from=build /app ./
# PostgreSQL refuses to run as root, and nothing here needs to. The code belongs to root: the server cannot change it.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Whether the process lives. Whether requests should come is /readyz, for proxies: a database that is away is no reason to end all containers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that SIGTERM arrives. Run it with --init: PostgreSQL leaves processes behind.
CMD ["node", "server/main.ts"]
