import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

type Headers = Record<string, string>

/** Security headers for every response. API responses get a policy that allows nothing. */
export async function addSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const forPages = await pageHeaders(config)
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
async function pageHeaders(config: Config): Promise<Headers> {
  const once = Fastify()
  await registerHelmet(once, config)
  once.get('/', async () => '')
  const { headers } = await once.inject('/')
  await once.close()
  const ofTheAnswer = ['content-length', 'content-type', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name))) as Headers
}

/** PayPal's button is a script that opens frames and a popup and injects styles. */
const payPalOrigins = ['https://*.paypal.com', 'https://*.paypalobjects.com']

/** No inline code, no eval, and nothing from other origins except the operator's map tiles and PayPal if enabled. */
async function registerHelmet(app: FastifyInstance, config: Config): Promise<void> {
  const isSecure = config.publicUrl.startsWith('https:')
  const tileOrigins = [config.map.tileUrl, config.map.pmtiles]
    .filter((url) => url !== undefined && URL.canParse(url))
    .map((url) => new URL(url as string).origin)
  // With real payments, businesses may be paid into their own PayPal accounts.
  const isPayPalShown = config.paypal !== undefined || config.invoiceInstructions !== undefined
  const payPal = isPayPalShown ? payPalOrigins : []
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...payPal],
        styleSrc: ["'self'", ...(isPayPalShown ? ["'unsafe-inline'"] : [])],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileOrigins, ...payPal],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...tileOrigins, ...payPal],
        ...(isPayPalShown ? { frameSrc: payPal } : {}),
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
    // PayPal's popup reports to the page that opened it.
    crossOriginOpenerPolicy: { policy: isPayPalShown ? 'same-origin-allow-popups' : 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // The operator's tile server need not opt in.
    crossOriginEmbedderPolicy: false,
  })
}
