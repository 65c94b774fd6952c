import { dayMs } from '#contracts/time.ts'
import '@fastify/compress'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { endpoints } from '#contracts/index.ts'
import { listOutbox, outboxFolder, type StoredMail } from '#server/adapters/mail/index.ts'
import type { Db } from '#server/db/connect.ts'
import { accountNavigations } from '#server/features/accounts/index.ts'
import { billingRoutes } from '#server/features/billing/index.ts'
import { panelFileRoutes } from '#server/features/blind-panels/index.ts'
import { brapiRoutes } from '#server/features/brapi/index.ts'
import { climateFileRoutes, sensorRoutes } from '#server/features/climate/index.ts'
import { eventRoutes } from '#server/features/events/index.ts'
import { huntArchiveRoutes } from '#server/features/hunt-archive/index.ts'
import { insightRoutes } from '#server/features/insights/index.ts'
import { keyRoutes } from '#server/features/keys/index.ts'
import { labelRoutes } from '#server/features/labels/index.ts'
import { liveRoutes } from '#server/features/live/index.ts'
import { menuExportRoutes } from '#server/features/menu-imports/index.ts'
import { unsubscribeRoutes } from '#server/features/notifications/index.ts'
import { ownDataRoutes } from '#server/features/own-data/index.ts'
import { constantAnswer } from '#server/kernel/constant-answer.ts'
import type { Context } from '#server/kernel/context.ts'
import { escapeHtml } from '#server/kernel/escape-html.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import { integrationsDocument, openApiDocument } from './openapi.ts'

/** Routes under /api without a contract, such as downloads, the live stream, unsubscribe links and the API's description. */
export const plainRoutes: readonly string[] = [
  ...accountNavigations,
  ...billingRoutes,
  ...brapiRoutes,
  ...climateFileRoutes,
  ...eventRoutes,
  ...huntArchiveRoutes,
  ...ownDataRoutes,
  ...insightRoutes,
  ...keyRoutes,
  ...labelRoutes,
  ...liveRoutes,
  ...menuExportRoutes,
  ...panelFileRoutes,
  ...sensorRoutes,
  ...unsubscribeRoutes,
  'GET /api/openapi.json',
  'GET /api/integrations/openapi.json',
]

/** RFC 9116 recommends less than a year, so an unmaintained file expires. The running server renews this one. */
const validMs = 180 * dayMs

/** `GET /.well-known/security.txt` (RFC 9116). */
export function addSecurityTxt(app: FastifyInstance, ctx: Pick<Context, 'brand' | 'clock' | 'config'>): void {
  const { publicUrl } = ctx.config
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(Math.floor((ctx.clock.now().getTime() + validMs) / dayMs) * dayMs)
    const lines = [
      `Contact: mailto:${ctx.brand.supportEmail}?subject=Security`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}

const shown = 100

/** `/dev/mail` lists outgoing mail, newest first. Unavailable in production, because links in the mail open accounts. */
export function addDevMail(app: FastifyInstance, ctx: Pick<Context, 'config' | 'brand'>): void {
  if (ctx.config.isProduction) return
  app.get('/dev/mail', async (_request, reply) => {
    const mails = ctx.config.smtpUrl ? [] : await listOutbox(outboxFolder(ctx.config.dataDir), shown)
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(ctx.brand.name, mails, ctx.config.smtpUrl !== undefined))
  })
}

function page(brandName: string, mails: StoredMail[], isSent: boolean): string {
  const empty = isSent ? 'Mail is sent through SMTP_URL.' : 'No mail yet. Register, or request a new password.'
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="robots" content="noindex"><title>Mail · ${escapeHtml(brandName)}</title></head><body><h1>Mail</h1>`,
    mails.length === 0 ? `<p>${empty}</p>` : mails.map(article).join('<hr>'),
    '</body></html>',
  ].join('')
}

function article(mail: StoredMail): string {
  return [
    `<article><h2>${escapeHtml(mail.subject)}</h2>`,
    `<p>To ${escapeHtml(mail.to)}<br>From ${escapeHtml(mail.from)}<br><time datetime="${escapeHtml(mail.sentAt)}">${escapeHtml(mail.sentAt)}</time></p>`,
    ...mail.text
      .trim()
      .split(/\n{2,}/)
      .map((paragraph) => `<p>${withLinks(paragraph).replaceAll('\n', '<br>')}</p>`),
    '</article>',
  ].join('')
}

/** Turns URLs into links and escapes everything, piece by piece. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) => (index % 2 === 1 ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece)))
    .join('')
}

const documentPath = '/api/openapi.json'
const docsPath = '/api/docs'
const cacheControl = 'public, max-age=300'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** `/api/openapi.json`, its subset for API keys, and `/api/docs`. They are large, so they are built and compressed only once. */
export async function addApiDocs(app: FastifyInstance, ctx: Pick<Context, 'brand' | 'rateLimiter'>): Promise<void> {
  const { brand } = ctx
  const make = () => JSON.stringify(openApiDocument(endpoints, brand))
  const document = constantAnswer(ctx, { type: 'application/json; charset=utf-8', cacheControl, make })
  app.get(documentPath, { compress: false }, document)
  const ofKeys = () => JSON.stringify(integrationsDocument(endpoints, brand))
  const integrations = constantAnswer(ctx, { type: 'application/json; charset=utf-8', cacheControl, make: ofKeys })
  app.get('/api/integrations/openapi.json', { compress: false }, integrations)

  const folder = path.join(path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  const files = new Map<string, ReturnType<typeof constantAnswer>>(
    fs.readdirSync(folder).flatMap((name) => {
      const type = types[path.extname(name)]
      const answer = type && constantAnswer(ctx, { type, cacheControl, make: () => fs.readFileSync(path.join(folder, name)) })
      return answer ? [[`${docsPath}/static/${name}`, answer]] : []
    }),
  )
  await app.register(async (scope) => {
    // The plugin would serialize the document and compress each file on every request.
    scope.addHook('onRequest', async (request, reply) => {
      const [asked = ''] = request.url.split('?')
      const file = files.get(asked)
      if (file) return file(request, reply)
      if (asked === `${docsPath}/json` || asked === `${docsPath}/yaml`) return reply.redirect(documentPath)
      await admit(ctx, request)
      return undefined
    })
    await scope.register(swagger, {
      mode: 'static',
      specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
    })
    await scope.register(swaggerUi, { routePrefix: docsPath, theme: { title: `${brand.name} API` } })
  })
}

export type Phase = 'starting' | 'serving' | 'draining'

/** Most proxies count a slower probe as a failure. */
const databaseTimeoutMs = 2000

/**
 * In a failover, all nodes lose the database at the same time. Taking all of them out would leave only the proxy's bare error page and no
 * static files. So for this long, nodes remain in service and respond 503 with Retry-After. After that, a node without a database is taken
 * out. Replicas count the same way: when the machine stalls, the checks of all of them time out at once.
 */
const graceMs = 30_000

type DatabaseState = 'writable' | 'read-only' | 'unreachable'

/**
 * `/healthz` responds while the process is alive. `/readyz` responds 200 once startup is complete, while the database accepts writes or a
 * replica serves reads, and for `graceMs` after that.
 */
export function addHealth(app: FastifyInstance, { db, reads }: Pick<Context, 'db' | 'reads'>, phase: () => Phase): void {
  let servedAt = performance.now()

  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )

  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (phase() !== 'serving') return reply.status(503).header('retry-after', 2).send({ status: phase() })
    const database = await checkDatabase(db)
    const now = performance.now()
    if (database === 'writable' || reads.replicas().some(({ isUsed }) => isUsed)) servedAt = now
    if (now - servedAt <= graceMs) return reply.send({ status: 'ready', database })
    return reply.status(503).header('retry-after', 2).send({ status: 'not ready', database })
  })
}

async function checkDatabase(db: Db): Promise<DatabaseState> {
  const asked = sql<{ read_only: string }>`select current_setting('transaction_read_only') as read_only`.execute(db)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), databaseTimeoutMs)
  })
  const answer = await Promise.race([asked, late])
    .catch(() => null)
    .finally(() => clearTimeout(timer))
  if (!answer) return 'unreachable'
  return answer.rows[0]?.read_only === 'off' ? 'writable' : 'read-only'
}
