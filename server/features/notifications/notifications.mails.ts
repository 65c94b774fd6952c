import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '#contracts/addresses.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { escapeHtml } from '#server/kernel/escape-html.ts'
import { type Mail, oneLine } from '#server/kernel/mail.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { saveEmailOff } from './preferences.ts'

/** A locked phone or a shared mailbox shows only "3 new notifications". */
export const countOfNew = (count: number): string => `${count} new notification${count === 1 ? '' : 's'}`

type Content = { userId: string; email: string; items: readonly Notification[]; more: number }

/**
 * Lists titles and links, and never the text below a title. Unsubscribing takes one click in the email app (RFC 8058) or a link in the
 * text.
 */
export function notificationsMail({ brand, config }: Pick<Context, 'brand' | 'config'>, { userId, email, items, more }: Content): Mail {
  const token = unsubscribeToken(config.sessionSecret, userId)
  const paragraphs = [
    ...items.map(({ title, actionUrl }) => `${oneLine(title)}\n${config.publicUrl}${actionUrl}`),
    ...(more > 0 ? [`and ${more} more: ${config.publicUrl}/notifications`] : []),
    `Choose what we notify you about: ${config.publicUrl}/settings\nUnsubscribe from these emails: ${config.publicUrl}/unsubscribe/${token}`,
    `${brand.name} · ${brand.supportEmail}`,
  ]
  return {
    to: email,
    subject: `You have ${countOfNew(items.length + more)}`,
    text: `${paragraphs.join('\n\n')}\n`,
    about: items.flatMap(({ person }) => person?.id ?? []),
    headers: {
      'List-Unsubscribe': `<${config.publicUrl}/api/unsubscribe/${token}>, <mailto:${brand.supportEmail}?subject=unsubscribe>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

const apiPath = '/api/unsubscribe/:token'
const pagePath = '/unsubscribe/:token'

/** Routes under /api that aren't part of the contract. */
export const unsubscribeRoutes: readonly string[] = [`POST ${apiPath}`]

const maxBytes = 4096

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

/**
 * One-click unsubscribe (RFC 8058). The mail provider's server posts a form without a session or a known origin. The signed token
 * identifies the person, so the origin check of writes isn't needed. GET changes nothing, because mail scanners follow links.
 */
export function addUnsubscribe({ app, ctx }: Api): void {
  const read = (request: TokenRequest): string => {
    const userId = unsubscribingUser(ctx.config.sessionSecret, request.params.token)
    if (userId === null) throw notFound('This link isn’t valid. Open your settings to change your email notifications.')
    return userId
  }
  void app.register(async (scope) => {
    // The body is always `List-Unsubscribe=One-Click` (RFC 8058).
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBytes }, (_request, _body, done) => done(null, null))
    scope.addHook('onRequest', (request) => admit(ctx, request, 'write'))
    scope.post(apiPath, async (request: TokenRequest, reply) => {
      await saveEmailOff(ctx.db, read(request))
      if (!request.headers.accept?.includes('text/html')) return reply.status(204).send()
      return sendPage(ctx, reply, [
        '<h1>You’re unsubscribed from notification emails</h1>',
        '<p>You can turn them on again in your settings.</p>',
      ])
    })
    scope.get(pagePath, async (request: TokenRequest, reply) => {
      read(request)
      return sendPage(ctx, reply, [
        '<h1>Unsubscribe from notification emails?</h1>',
        `<form method="post" action="/api/unsubscribe/${encodeURIComponent(request.params.token)}"><button type="submit">Unsubscribe</button></form>`,
      ])
    })
  })
}

/** A page without scripts or a session. Its URL contains the token, so it must not send a referrer. */
function sendPage({ brand }: Pick<Context, 'brand'>, reply: FastifyReply, content: string[]): FastifyReply {
  const name = escapeHtml(brand.name)
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send(
      [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        `<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Email · ${name}</title></head><body><main>`,
        ...content,
        `<p><a href="/">${name}</a></p></main></body></html>`,
      ].join(''),
    )
}

/** Derives a key, so that the session key isn't used for anything else. */
const keyOf = (sessionSecret: string) => createHmac('sha256', sessionSecret).update('unsubscribe from mail, 1').digest()

const sign = (sessionSecret: string, userId: string) => createHmac('sha256', keyOf(sessionSecret)).update(userId).digest()

/** Lets its holder turn off one person's emails and nothing else. Never expires, because emails are kept for years. */
const unsubscribeToken = (sessionSecret: string, userId: string): string => `${userId}.${sign(sessionSecret, userId).toString('base64url')}`

/** Returns null if the signature is wrong. */
function unsubscribingUser(sessionSecret: string, token: string): string | null {
  const [userId = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(sessionSecret, userId)
  return isUuid(userId) && given.length === expected.length && timingSafeEqual(given, expected) ? userId : null
}
