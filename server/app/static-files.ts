import fs from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const yearInSeconds = 31_536_000

/** The built web app: hashed files for ever, the few others for an hour; compressed copies made at build time are preferred. */
export async function addStaticFiles(app: FastifyInstance, config: Config, distDir: string): Promise<void> {
  if (fs.existsSync(distDir)) {
    await app.register(fastifyStatic, {
      root: distDir,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // The page's template is not a file to fetch, and neither are the compressed copies by their own name.
      globIgnore: ['index.html*', '.vite/**', '.prerender/**', '.built', '**/*.br', '**/*.gz'],
      setHeaders(reply, file) {
        const isHashed = /[\\/]assets[\\/]/.test(file)
        // Browsers look for a newer worker at each visit; an old copy of it would keep the whole app old.
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
