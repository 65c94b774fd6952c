import type { FastifyInstance } from 'fastify'
import { listOutbox, outboxFolder, type StoredMail } from '../adapters/mail/outbox.ts'
import type { Context } from '../kernel/context.ts'
import { escapeHtml } from '../kernel/escape-html.ts'

const shown = 100

/** `/dev/mail`: what would have been mailed, newest first. Outside production only: the links open accounts. */
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
  const empty = isSent ? 'Mail goes out through SMTP_URL.' : 'No mail yet. Register, or ask for a new password.'
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

/** Addresses become links; everything is escaped, each piece for itself. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) => (index % 2 === 1 ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece)))
    .join('')
}
