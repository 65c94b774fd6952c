import type { FastifyReply, FastifyRequest } from 'fastify'
import { admit } from '../../kernel/admit.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { saveEmailOff } from './preferences.queries.ts'
import { unsubscribingUser } from './unsubscribe-token.ts'

const apiPath = '/api/unsubscribe/:token'
const pagePath = '/unsubscribe/:token'

/** Routes under /api that are no declared calls. */
export const unsubscribeRoutes: readonly string[] = [`POST ${apiPath}`]

const mostBytes = 4096

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

/**
 * One-click unsubscribing (RFC 8058). The mail provider's server posts a form, without a session and from nowhere we know: the
 * signed token alone says whose mail it is, so the check of a write's origin does not apply. Looking at the page changes nothing,
 * because programs look at links in mail too.
 */
export function addUnsubscribe({ app, ctx }: Api): void {
  const read = (request: TokenRequest): string => {
    const userId = unsubscribingUser(ctx.config.sessionSecret, request.params.token)
    if (userId === null) throw notFound('This link is not one of ours. Open the settings to change what you are mailed.')
    return userId
  }
  void app.register(async (scope) => {
    // What the body says is known: that one click was made.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostBytes }, (_request, _body, done) => done(null, null))
    scope.addHook('onRequest', (request) => admit(ctx, request, 'write'))
    scope.post(apiPath, async (request: TokenRequest, reply) => {
      await saveEmailOff(ctx.db, read(request))
      if (!request.headers.accept?.includes('text/html')) return reply.status(204).send()
      return sendPage(ctx, reply, [
        '<h1>You will get no more mail about notifications</h1>',
        '<p>You can switch it on again in the settings.</p>',
      ])
    })
    scope.get(pagePath, async (request: TokenRequest, reply) => {
      read(request)
      return sendPage(ctx, reply, [
        '<h1>No more mail about notifications?</h1>',
        `<form method="post" action="/api/unsubscribe/${encodeURIComponent(request.params.token)}"><button type="submit">Unsubscribe</button></form>`,
      ])
    })
  })
}

/** A page that needs no script and no session. The token in its address is for nobody else. */
function sendPage({ brand }: Pick<Context, 'brand'>, reply: FastifyReply, content: string[]): FastifyReply {
  const name = brand.name.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send(
      [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        `<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Mail · ${name}</title></head><body><main>`,
        ...content,
        `<p><a href="/">${name}</a></p></main></body></html>`,
      ].join(''),
    )
}
