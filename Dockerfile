# One image for server and worker; compose says which of them a container runs.
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
COPY package.json package-lock.json .npmrc ./
COPY patches ./patches
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY --from=build /app/domain ./domain
COPY --from=build /app/drizzle ./drizzle
COPY --from=build /app/server ./server
COPY --from=build /app/worker ./worker
COPY --from=build /app/client/dist ./client/dist
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
CMD ["node", "--import", "tsx", "server/main.ts"]
