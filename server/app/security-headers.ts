import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

type Headers = Record<string, string>

/** What a page may load and do, on every answer. Calls answer data, which may load and do nothing at all. */
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

/** A page loads dozens of these and its own policy holds for them, but for workers: theirs comes with their script. */
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

/** Helmet puts its headers together anew for every answer; they never change here, so one answer is made and they are kept. */
async function pageHeaders(config: Config): Promise<Headers> {
  const once = Fastify()
  await registerHelmet(once, config)
  once.get('/', async () => '')
  const { headers } = await once.inject('/')
  await once.close()
  const ofTheAnswer = ['content-length', 'content-type', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name))) as Headers
}

/** PayPal's button is a script of theirs that opens frames and a window of theirs, and writes its styles into the page. */
const payPalOrigins = ['https://*.paypal.com', 'https://*.paypalobjects.com']

/** Nothing inline, nothing evaluated, nothing from elsewhere but the operator's own map tiles, and PayPal where it can be paid with. */
async function registerHelmet(app: FastifyInstance, config: Config): Promise<void> {
  const isSecure = config.publicUrl.startsWith('https:')
  const tileOrigins = [config.map.tileUrl, config.map.pmtiles]
    .filter((url) => url !== undefined && URL.canParse(url))
    .map((url) => new URL(url as string).origin)
  // Where money is real, a business may be paid by PayPal into an account of its own.
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
    // PayPal's window tells the page that opened it what the payer said.
    crossOriginOpenerPolicy: { policy: isPayPalShown ? 'same-origin-allow-popups' : 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // Pictures of the operator's own tile server need not opt in.
    crossOriginEmbedderPolicy: false,
  })
}
