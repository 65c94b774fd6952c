import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Plugin } from 'vite'

type PageParts = { head: string; boot: unknown }

/** Paths that the application's server handles. Vite handles all others. */
const served = [
  '/api',
  '/healthz',
  '/readyz',
  '/media',
  '/map.pmtiles',
  '/manifest.webmanifest',
  '/offline/',
  '/unsubscribe',
  '/feeds',
  '/embed',
  '^/business/[^/]+/qr\\.',
  '/dev/mail',
]

/** Page requests wait this long for the server, which restarts whenever its code changes. */
const patienceMs = 10_000

/**
 * Makes Vite serve the application's pages. In production the server inserts the page's head and initial responses; in development Vite
 * requests them from the server, whose address scripts/dev.mjs sets as API_URL. Without API_URL (as in a build) the plugin does nothing.
 */
export function devBoot(): Plugin | undefined {
  const apiUrl = process.env.API_URL
  if (!apiUrl) return undefined
  const requests = new AsyncLocalStorage<IncomingMessage>()
  return {
    name: 'sungrove-dev-boot',
    apply: 'serve',
    config: () => ({
      clearScreen: false,
      server: {
        port: Number(process.env.PORT),
        strictPort: true,
        proxy: Object.fromEntries(served.map((path) => [path, { target: apiUrl, changeOrigin: false }])),
      },
    }),
    configureServer(server) {
      server.middlewares.use((request, _response, next) => requests.run(request, next))
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { originalUrl = '/' }) {
        const { head, boot } = await ask(apiUrl, originalUrl, requests.getStore()?.headers.cookie)
        // An unescaped `<` could close the element.
        const json = JSON.stringify(boot).replace(/</g, '\\u003c')
        return html
          .replace('<!--head-->', () => head)
          .replace('<!--boot-->', () => `<script id="boot" type="application/json">${json}</script>`)
      },
    },
  }
}

async function ask(apiUrl: string, path: string, cookie: string | undefined): Promise<PageParts> {
  const url = `${apiUrl}/dev/boot?${new URLSearchParams({ path })}`
  for (const until = Date.now() + patienceMs; ; await sleep(100)) {
    try {
      const response = await fetch(url, { headers: cookie ? { cookie } : {} })
      if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`)
      return (await response.json()) as PageParts
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > until) throw error
    }
  }
}
