// Knows the route's option `compress`.
import type {} from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import type { Brand } from '../../contracts/brand.ts'
import { discreetName } from '../../contracts/discreet-name.ts'
import { admit } from '../kernel/admit.ts'
import { constantAnswer } from '../kernel/constant-answer.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { escapeHtml } from '../kernel/escape-html.ts'
import { makeBoot } from './boot.ts'
import { scriptJson } from './page-head.ts'

/** The colors of the ground in tokens.css, as a manifest and a phone's status bar take them. A test holds them together. */
export const groundColors = { light: '#fbfaf6', dark: '#0c1711' }

/** What browsers and phones ask of an app that can be installed and opened without a network. The same for everybody: no session is read. */
export function addOfflinePages(app: FastifyInstance, ctx: Context, template: string | null): void {
  const { brand } = ctx

  const manifest = (isDiscreet: boolean) => {
    const icon = (name: string) => `/icons/${isDiscreet ? 'plain-' : ''}${name}.png`
    const make = () =>
      JSON.stringify({
        // The same app by either name: a browser changes the one that is installed.
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

  /** The app's page without a viewer and without answers: the service worker keeps it, and puts in whose device it is. */
  app.get('/offline/shell', async (request, reply) => {
    await admit(ctx, request)
    if (!template) throw notBuilt()
    const boot = scriptJson({ ...makeBoot(ctx, null, [], request.headers['accept-language']), now: null })
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        template
          .replace('<!--head-->', () => `<title>${escapeHtml(brand.name)}</title>`)
          .replace('<!--boot-->', () => `<script id="boot" type="application/json">${boot}</script>`),
      )
  })

  /** What stands in for every other page where there is no network: a few words that need no script. */
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
    main: `<h1>You are offline</h1>
      <p>This page needs a network.</p>
      <p class="offline-kept">Your hunts and their last logs are on this device, and what you write there is sent later.</p>
      <p class="offline-ways">
        <a class="offline-kept" href="/pheno-hunt">Open your hunts</a>
        <a class="offline-again" href="">Try again</a>
      </p>`,
  })
}

/** What to do about an error that keeps a page from being shown. The page itself is there: no search engine is told to forget it. */
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
        : ['Something went wrong on our side', `Try again. If it happens again, write to ${supportEmail}.`]
  return plainPage(template ?? '', {
    title: `${title} · ${name}`,
    main: `<h1>${title}</h1>
      <p>${escapeHtml(text)}</p>
      <p class="offline-ways"><a class="offline-again" href="">Try again</a></p>`,
  })
}

/** A page of a few words, in the app's own look, that needs no script. */
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
