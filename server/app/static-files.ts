import fs from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

const yearInSeconds = 31_536_000

/** Serves the built web app. Hashed files are cached forever, others for an hour; prefers precompressed copies. */
export async function addStaticFiles(app: FastifyInstance, config: Config, distDir: string): Promise<void> {
  if (fs.existsSync(distDir)) {
    await app.register(fastifyStatic, {
      root: distDir,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // The pages' templates and the compressed copies aren't files to request by name.
      globIgnore: ['index.html*', 'static-page.html*', '.vite/**', '.static-pages/**', '.built', '**/*.br', '**/*.gz'],
      setHeaders(reply, file) {
        const isHashed = /[\\/]assets[\\/]/.test(file)
        // Browsers check for a new worker at each visit; a cached old one would keep the whole app old.
        const isWorker = path.basename(file) === 'sw.js'
        reply.header(
          'cache-control',
          isWorker ? 'no-cache' : isHashed ? `public, max-age=${yearInSeconds}, immutable` : 'public, max-age=3600',
        )
      },
    })
  }
  if (config.map.pmtiles && !/^https?:/.test(config.map.pmtiles)) {
    const file = config.map.pmtiles
    app.get('/map.pmtiles', (_request, reply) => reply.sendFile(file, '/', { maxAge: '1d' }))
  }
}
