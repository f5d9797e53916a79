# What runs is put together from two installs: one with everything, which writes src/generated, and one without
# development packages. Node itself comes with the image, so no install script has to run.
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
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY package.json ./
COPY prisma ./prisma
COPY src ./src
COPY --from=generated /app/src/generated ./src/generated
COPY --from=packages /app/node_modules ./node_modules
# Compiles once, where these files stand and for this Node; the program may not write here.
RUN node src/generate.js
USER node
VOLUME /data
EXPOSE 8080
# A worker has no port: it is healthy as long as it runs.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "if (process.env.ROLE === 'worker') process.exit(0); fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that the signal to stop reaches the program itself.
CMD ["node", "src/start/launch.js"]
