import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import { providerPages } from '#server/adapters/payments/index.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '#server/kernel/clock.ts'

type Headers = Record<string, string>

/** Security headers for every response. API responses get a policy that allows nothing. */
export async function addSecurityHeaders(app: FastifyInstance, config: Config, clock: Clock): Promise<void> {
  const forPages = await pageHeaders(config, clock)
  const forFiles = plainHeaders(forPages)
  const forCalls = { ...forFiles, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
  app.addHook('onRequest', async (request, reply) => {
    const { url } = request
    if (url.startsWith('/api/') && !url.startsWith('/api/docs')) reply.headers(forCalls)
    else reply.headers(isPartOfPage(url) ? forFiles : forPages)
  })
}

/** The page's policy covers its assets, except workers, whose policy comes with their script. */
const isPartOfPage = (url: string) => url.startsWith('/assets/') && !url.includes('worker')

function plainHeaders(forPages: Headers): Headers {
  const names = [
    'strict-transport-security',
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
    'cross-origin-resource-policy',
  ]
  return Object.fromEntries(Object.entries(forPages).filter(([name]) => names.includes(name)))
}

/** Helmet would rebuild its constant headers for every response, so they are captured once. */
async function pageHeaders(config: Config, clock: Clock): Promise<Headers> {
  const once = Fastify()
  await registerHelmet(once, config, clock)
  once.get('/', async () => '')
  const { headers } = await once.inject('/')
  await once.close()
  const ofTheAnswer = ['content-length', 'content-type', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name))) as Headers
}

/** No inline code, no eval, and nothing from other origins except the operator's map tiles and the payment providers' buttons. */
async function registerHelmet(app: FastifyInstance, config: Config, clock: Clock): Promise<void> {
  const isSecure = config.publicUrl.startsWith('https:')
  const tileOrigins = [config.map.tileUrl, config.map.pmtiles]
    .filter((url) => url !== undefined && URL.canParse(url))
    .map((url) => new URL(url as string).origin)
  const providers = providerPages(config, clock)
  const providerOrigins = providers.flatMap(({ origins }) => origins)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...providerOrigins],
        styleSrc: ["'self'", ...(providers.some(({ writesStyles }) => writesStyles) ? ["'unsafe-inline'"] : [])],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileOrigins, ...providerOrigins],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...tileOrigins, ...providerOrigins],
        ...(providers.length > 0 ? { frameSrc: providerOrigins } : {}),
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: providers.some(({ opensWindow }) => opensWindow) ? 'same-origin-allow-popups' : 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // The operator's tile server need not opt in.
    crossOriginEmbedderPolicy: false,
  })
}
