# Two stages: packages and generated code are made in one, the other holds only what runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY prisma ./prisma
# The generator of the database client is the one script that has to run; Node itself comes with the image.
RUN npm ci --omit=dev --ignore-scripts && npm run generate
COPY src ./src

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/prisma ./prisma
COPY --from=build --chown=root:root /app/src ./src
USER node
VOLUME /data
EXPOSE 8080
# A worker has no port: it is healthy as long as it runs.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "if (process.env.ROLE === 'worker') process.exit(0); fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, so that the signal to stop reaches the program itself.
CMD ["node", "src/start.js"]
