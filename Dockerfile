# One image for server, worker and tools; compose says which of them a container runs.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches ./patches
RUN npm ci --no-audit --no-fund
COPY . .
RUN node --import tsx server/tools/build.ts

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/dist ./
# The product writes only to these two volumes; the rest may be read-only.
RUN mkdir /data /exchange && chown node:node /data /exchange
USER node
EXPOSE 3000
CMD ["node", "run/server.mjs"]
