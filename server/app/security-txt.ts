import type { FastifyInstance } from 'fastify'
import type { Context } from '../kernel/context.ts'

const day = 86_400_000
/** RFC 9116 asks for less than a year, so that a file that no one looks after ends by itself. This one is as fresh as the server. */
const validMs = 180 * day

/** `GET /.well-known/security.txt` (RFC 9116): how to report a vulnerability of this site. */
export function addSecurityTxt(app: FastifyInstance, ctx: Pick<Context, 'brand' | 'clock' | 'config'>): void {
  const { publicUrl } = ctx.config
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(Math.floor((ctx.clock.now().getTime() + validMs) / day) * day)
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
