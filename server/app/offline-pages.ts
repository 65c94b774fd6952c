import type {} from '@fastify/compress' // Declares the route option `compress`.
import type { FastifyInstance } from 'fastify'
import { type Brand, discreetName } from '#contracts/brand.ts'
import { constantAnswer } from '#server/kernel/constant-answer.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { escapeHtml } from '#server/kernel/escape-html.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import { makeBoot, scriptJson } from './page-head.ts'

/** Background colors from tokens.css, for the manifest and the status bar. A test compares them. */
export const groundColors = { light: '#fbfaf6', dark: '#0c1711' }

/** Files for an app that can be installed and used offline. They are the same for everyone, so no session is read. */
export function addOfflinePages(app: FastifyInstance, ctx: Context, template: string | null): void {
  const { brand } = ctx

  const manifest = (isDiscreet: boolean) => {
    const icon = (name: string) => `/icons/${isDiscreet ? 'plain-' : ''}${name}.png`
    const make = () =>
      JSON.stringify({
        // The same ID under either name, so browsers update the installed app.
        id: '/',
        name: isDiscreet ? discreetName : brand.name,
        short_name: isDiscreet ? discreetName : brand.name,
        description: isDiscreet ? '' : brand.tagline,
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: groundColors.light,
        theme_color: groundColors.light,
        ...(isDiscreet ? {} : { categories: ['business', 'lifestyle'] }),
        icons: [
          { src: icon('192'), sizes: '192x192', type: 'image/png' },
          { src: icon('512'), sizes: '512x512', type: 'image/png' },
          { src: icon('maskable'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        shortcuts: isDiscreet ? [] : [{ name: 'Pheno hunts', url: '/pheno-hunt', icons: [{ src: icon('192'), sizes: '192x192' }] }],
      })
    return constantAnswer(ctx, { type: 'application/manifest+json; charset=utf-8', cacheControl: 'public, max-age=3600', make })
  }
  const manifests = { plain: manifest(false), discreet: manifest(true) }
  app.get('/manifest.webmanifest', { compress: false }, (request, reply) =>
    (request.query as { name?: unknown }).name === 'discreet' ? manifests.discreet(request, reply) : manifests.plain(request, reply),
  )

  /** The app's page without a viewer or data. The service worker caches it and adds the device's viewer. */
  app.get('/offline/shell', async (request, reply) => {
    await admit(ctx, request)
    if (!template) throw notBuilt()
    const boot = scriptJson(makeBoot(ctx, null, [], request.headers['accept-language']))
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        template
          .replace('<!--head-->', () => `<title>${escapeHtml(brand.name)}</title>`)
          .replace('<!--boot-->', () => `<script id="boot" type="application/json">${boot}</script>`),
      )
  })

  /** The offline fallback for every other page. Needs no script. */
  const page = constantAnswer(ctx, {
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    make() {
      if (!template) throw notBuilt()
      return offlinePage(template, brand.name)
    },
  })
  app.get('/offline/page', { compress: false }, page)
}

const notBuilt = () => new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })

function offlinePage(template: string, brandName: string): string {
  return plainPage(template, {
    title: `Offline · ${brandName}`,
    head: '<meta name="robots" content="noindex" />',
    main: `<h1>You’re offline</h1>
      <p>This page needs an internet connection.</p>
      <p class="offline-kept">Your hunts and their latest logs are on this device. What you write there will be sent when you’re back online.</p>
      <p class="offline-ways">
        <a class="offline-kept" href="/pheno-hunt">Open your hunts</a>
        <a class="offline-again" href="">Try again</a>
      </p>`,
  })
}

/** Explains why a page can't be shown. Search engines aren't told to drop the page, because it still exists. */
export function errorPage(
  template: string | null,
  { code, retryAfterSeconds = 5 }: Pick<AppError, 'code' | 'retryAfterSeconds'>,
  { name, supportEmail }: Brand,
): string {
  const wait = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`
  const [title, text] =
    code === 'too_many_requests'
      ? ['You’re opening pages too fast', `Wait ${wait}, then try again.`]
      : code === 'unavailable'
        ? ['We’re busy right now', `This page is still here. Wait ${wait}, then try again.`]
        : ['Something went wrong on our end', `Try again. If it happens again, write to ${supportEmail}.`]
  return plainPage(template ?? '', {
    title: `${title} · ${name}`,
    main: `<h1>${title}</h1>
      <p>${escapeHtml(text)}</p>
      <p class="offline-ways"><a class="offline-again" href="">Try again</a></p>`,
  })
}

function plainPage(template: string, { title, head = '', main }: { title: string; head?: string; main: string }): string {
  const styles = (template.match(/<link rel="stylesheet"[^>]*>/g) ?? []).join('')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${head}
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <title>${escapeHtml(title)}</title>${styles}
    <link rel="stylesheet" href="/offline.css" />
  </head>
  <body>
    <main class="offline-page">
      <img src="/favicon.svg" alt="" width="64" height="64" />
      ${main}
    </main>
  </body>
</html>
`
}
