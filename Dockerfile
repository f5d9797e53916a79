# The image combines two installs: a full one, which writes src/generated (the dashboard is built there), and one without development packages. Node comes
# with the base image, so no install script has to run.
FROM node:24-bookworm-slim AS generated
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY prisma ./prisma
COPY src ./src
RUN npm run generate

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
# Threads allocate from two arenas, as with npm start (src/start/launch.js says why).
ENV NODE_ENV=production \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY package.json ./
COPY prisma ./prisma
COPY src ./src
COPY --from=generated /app/src/generated ./src/generated
COPY --from=packages /app/node_modules ./node_modules
# Fills the compile cache, which depends on the path and on the Node version; the program itself may not write here.
RUN node src/generate.js
USER node
VOLUME /data
EXPOSE 8080
# A worker has no port and counts as healthy while it runs.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "if (process.env.ROLE === 'worker') process.exit(0); fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that the program itself receives the signal to stop.
CMD ["node", "src/start/launch.js"]
