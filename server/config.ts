import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import {
  brandName,
  email,
  isHttpUrl,
  isOrigin,
  isSafeUrl,
  listed,
  mailSender,
  oneOf,
  otlpHeaders,
  privateTargets,
  quotedName,
  stateCodes,
  trustedProxies,
  urlOf,
  urlsOf,
  wholeNumber,
} from './config-values.ts'

/** The folder of package.json. Relative paths in the configuration start here, regardless of the working directory. */
export const projectRoot = path.resolve(import.meta.dirname, '..')

export type Environment = Readonly<Record<string, string | undefined>>

const variables = z.object({
  NODE_ENV: oneOf('production', 'development', 'test').default('production'),
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[^\s/]+$/, { error: 'must be an address or a host name' })
    .default('::'),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, {
      error: 'must be an address without a path, such as https://example.com',
    })
    .optional(),
  TRUST_PROXY: trustedProxies.default([]),
  MAX_REQUESTS_IN_FLIGHT: wholeNumber(0, 10_000).default(64),
  MAX_EVENT_LOOP_DELAY_MS: wholeNumber(0, 60_000).default(1000),
  JOBS: oneOf('on', 'off', 'only').default('on'),

  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: urlOf(['postgres', 'postgresql']).optional(),
  DATABASE_REPLICA_URLS: urlsOf(['postgres', 'postgresql']).default([]),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(10_000),
  LOCK_TIMEOUT_MS: wholeNumber(10, 3_600_000).default(3000),
  DEMO_DATA: oneOf('on', 'off').default('on'),
  LICENSE_REGISTERS: stateCodes.default([]),
  LICENSE_REGISTERS_FILE: z.string().optional(),

  S3_ENDPOINT: urlOf(['https', 'http']).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]+$/, { error: 'must be the name of a bucket' })
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, { error: 'must be a region such as us-east-1, or auto' })
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),

  BRAND_NAME: brandName.default('Sungrove'),
  SUPPORT_EMAIL: email.default('support@sungrove.example'),
  SMTP_URL: urlOf(['smtp', 'smtps']).optional(),
  MAIL_FROM: mailSender.optional(),

  SESSION_SECRET: z.string().min(32, { error: 'must be at least 32 characters long' }).optional(),
  EMAIL_VERIFICATION: oneOf('required', 'optional').optional(),
  RATE_LIMIT_STORE: oneOf('memory', 'postgres').default('memory'),
  RATE_LIMIT_SCALE: z
    .string()
    .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= 10_000, {
      error: 'must be a number above 0 and at most 10,000',
    })
    .transform(Number)
    .default(1),
  OIDC_ISSUER: urlOf(['https', 'http']).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, { error: 'must be at most 40 characters long' }).default('OpenID'),

  BILLING_NAME: z
    .string()
    .max(60, { error: 'must be at most 60 characters long' })
    .regex(/^[ -~]+$/, { error: 'must contain only plain letters, digits and punctuation, as bank statements do' })
    .optional(),
  BILLING_INVOICE_INSTRUCTIONS: z.string().max(2000, { error: 'must be at most 2,000 characters long' }).optional(),
  PAYPAL_CLIENT_ID: z
    .string()
    .regex(/^[\w-]+$/, { error: 'must be the client ID of a PayPal REST app' })
    .optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z
    .string()
    .regex(/^[A-Za-z0-9]+$/, { error: 'must be the ID of a webhook, as shown by PayPal' })
    .optional(),
  PAYPAL_ENVIRONMENT: oneOf('live', 'sandbox').default('live'),
  PAYPAL_API_URL: urlOf(['https', 'http']).optional(),

  LIVE_BUS: oneOf('listen', 'poll').default('listen'),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, { error: 'must be 65 bytes in base64url, as "npx web-push generate-vapid-keys" prints them' })
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'must be 32 bytes in base64url, as "npx web-push generate-vapid-keys" prints them' })
    .optional(),

  AI_BASE_URL: urlOf(['https', 'http'])
    .refine(isSafeUrl, { error: 'must begin with https://, except on this machine (localhost), and contain no username or password' })
    .optional(),
  AI_API_KEY: z
    .string()
    .regex(/^[!-~]+$/, { error: 'must be a key without spaces' })
    .optional(),
  AI_MODEL: z.string().max(200, { error: 'must be at most 200 characters long' }).optional(),
  AI_TIMEOUT_MS: wholeNumber(500, 25_000).default(8000),

  MAP_TILE_URL: urlOf(['https', 'http'])
    .refine((text) => ['{z}', '{x}', '{y}'].every((part) => text.includes(part)), { error: 'must contain {z}, {x} and {y}' })
    .optional(),
  MAP_PMTILES: z
    .string()
    .regex(/\.pmtiles$/, { error: 'must be the path or the URL of a file that ends in .pmtiles' })
    .optional(),

  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, { error: 'must be 16 characters or more, without spaces' })
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(['https', 'http']).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((text) => otlpHeaders(text) !== undefined, { error: 'must be name=value, or several separated by commas' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(100, { error: 'must be at most 100 characters long' }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => /^(0|1|0?\.\d+|1\.0+)$/.test(text), { error: 'must be a number from 0 to 1' })
    .transform(Number)
    .default(1),

  PRIVATE_TARGETS: privateTargets.default([]),

  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
})

/** Every variable that the application reads, in the order of docs/configuration.md. */
export const variableNames = Object.keys(variables.shape) as (keyof typeof variables.shape)[]

/** Defaults of unset variables. Variables that aren't listed have none or derive from another variable. */
export const variableDefaults = variables.parse({})

/** Values that must not appear in a log or on a terminal. */
const secretVariables = new Set<string>([
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'SMTP_URL',
  'SESSION_SECRET',
  'OIDC_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'VAPID_PRIVATE_KEY',
  'PAYPAL_CLIENT_SECRET',
  'AI_API_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
] satisfies typeof variableNames)

export type Config = ReturnType<typeof loadConfig>

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 *
 * `storedSecret` returns a data folder's session secret if SESSION_SECRET is unset. If it is omitted, the variable is required.
 *
 * @throws {ConfigError} naming every invalid variable
 */
export function loadConfig(env: Environment, storedSecret?: (dataDir: string) => string) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = variables.safeParse(set)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => invalidValueMessage(String(issue.path[0]), set, issue.message)).join('\n'))
  const v = parsed.data

  const dataDir = path.resolve(projectRoot, v.DATA_DIR)
  const sessionSecret = v.SESSION_SECRET ?? storedSecret?.(dataDir)
  if (sessionSecret === undefined) throw new ConfigError('SESSION_SECRET is not set.')

  const publicUrl = v.PUBLIC_URL ? new URL(v.PUBLIC_URL).origin : `http://localhost:${v.PORT}`
  return Object.freeze({
    nodeEnv: v.NODE_ENV,
    /** If false, development pages (`/dev/…`) are served. */
    isProduction: v.NODE_ENV === 'production',
    port: v.PORT,
    host: v.HOST,
    /** The origin for emailed links and for checking the origin of writes, without a trailing slash. */
    publicUrl,
    /** Whether people reach the site over HTTPS. If so, cookies are `Secure`. */
    isHttps: publicUrl.startsWith('https:'),
    /** PUBLIC_URL is unset or points to this machine. Only then can demo accounts sign in, because their password is public. */
    isOnThisMachine: isOnThisMachine(v.PUBLIC_URL),
    /** If false, `publicUrl` is only a guess. */
    isPublicUrlSet: v.PUBLIC_URL !== undefined,
    trustProxy: trustProxyOf(v.TRUST_PROXY),
    /** Above these limits, requests may be refused with 503: see `createOverloadGuard`. 0 disables a limit. */
    maxRequestsInFlight: v.MAX_REQUESTS_IN_FLIGHT,
    maxEventLoopDelayMs: v.MAX_EVENT_LOOP_DELAY_MS,
    /** Whether this process also runs jobs, runs none, or runs only jobs. */
    jobs: v.JOBS,

    dataDir,
    /** If unset, the server starts the embedded database. */
    databaseUrl: v.DATABASE_URL,
    databaseReplicaUrls: replicaUrls(v),
    databasePoolSize: v.DATABASE_POOL_SIZE,
    statementTimeoutMs: v.STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: v.LOCK_TIMEOUT_MS,
    /** Whether a new embedded database gets demo content, provided that `isOnThisMachine` is also true. */
    demoData: v.DEMO_DATA === 'on' && v.DATABASE_URL === undefined,

    /** The states whose registers are read every month, and the file that describes the registers. */
    licenseRegisters: Object.freeze({
      states: v.LICENSE_REGISTERS,
      file: path.resolve(projectRoot, v.LICENSE_REGISTERS_FILE ?? 'data/license-registers.json'),
    }),

    /** If unset, media is stored in the `media` folder of the data folder. */
    s3: s3Store(v),

    brandName: v.BRAND_NAME,
    supportEmail: v.SUPPORT_EMAIL,
    /** If unset, mail is written to the folder `outbox` in the data folder. */
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM ?? `${quotedName(v.BRAND_NAME)} <${v.SUPPORT_EMAIL}>`,

    sessionSecret,
    /** Without outgoing mail, no one could verify an address. */
    emailVerification: v.EMAIL_VERIFICATION ?? (v.SMTP_URL ? ('required' as const) : ('optional' as const)),
    rateLimitStore: v.RATE_LIMIT_STORE,
    rateLimitScale: v.RATE_LIMIT_SCALE,
    oidc: openIdProvider(v),

    billingName: v.BILLING_NAME ?? v.BRAND_NAME,
    /** If unset, invoices are disabled. */
    invoiceInstructions: v.BILLING_INVOICE_INSTRUCTIONS,
    paypal: payPal(v),
    /** PayPal's API, for the site's own account and for accounts that businesses connect. */
    payPalApi: payPalApi(v),

    liveBus: v.LIVE_BUS,
    /** If unset, the keys in the data folder are used. */
    vapidKeys: vapidKeys(v),

    /** If unset, the guide works without a language model. */
    ai: languageModel(v),

    map: Object.freeze({
      tileUrl: v.MAP_TILE_URL,
      /** An absolute path or an http(s) URL. */
      pmtiles: v.MAP_PMTILES && (isHttpUrl(v.MAP_PMTILES) ? v.MAP_PMTILES : path.resolve(projectRoot, v.MAP_PMTILES)),
    }),

    /** If unset, /metrics is disabled. */
    metricsToken: v.METRICS_TOKEN,
    /** If unset, traces are disabled. */
    tracing: tracing(v),

    /** Private addresses that webhooks and menu addresses may reach; may be empty. */
    privateTargets: v.PRIVATE_TARGETS,

    logLevel: v.LOG_LEVEL,
  })
}

/** Without PUBLIC_URL, the site's address is localhost. */
function isOnThisMachine(publicUrl: string | undefined): boolean {
  if (!publicUrl) return true
  const { hostname } = new URL(publicUrl)
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Given a hop count, Fastify would trust no proxy, because it can't check who connects. An operator who sets one asserts that all requests
 * come through proxies.
 */
function trustProxyOf(value: number | string[]): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof value === 'number') return value > 0 && ((_address, hop) => hop < value)
  return value.length > 0 && value
}

function replicaUrls({ DATABASE_URL: primary, DATABASE_REPLICA_URLS: replicas }: z.infer<typeof variables>): readonly string[] {
  if (replicas.length > 0 && !primary) throw new ConfigError('DATABASE_URL must be set too: the embedded database has no replicas.')
  return replicas
}

/** An OpenID provider needs all three variables. Setting only some of them is a mistake. */
function openIdProvider(v: z.infer<typeof variables>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = v
  // An issuer is the same with or without a trailing slash.
  if (issuer && clientId && clientSecret)
    return Object.freeze({ issuer: issuer.replace(/\/+$/, ''), clientId, clientSecret, name: v.OIDC_NAME })
  return requireAllOrNone('an OpenID provider', { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret })
}

/** An S3 store needs four variables in addition to its region. */
function s3Store(v: z.infer<typeof variables>) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = v
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    return Object.freeze({ endpoint, bucket, region: v.S3_REGION, accessKeyId, secretAccessKey })
  }
  return requireAllOrNone('an S3 store', {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  })
}

const payPalHosts = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' }

const payPalApi = (v: z.infer<typeof variables>) =>
  Object.freeze({ url: v.PAYPAL_API_URL?.replace(/\/+$/, '') ?? payPalHosts[v.PAYPAL_ENVIRONMENT], environment: v.PAYPAL_ENVIRONMENT })

/** PayPal needs three variables, because its webhooks can't be verified without the webhook's ID. */
function payPal(v: z.infer<typeof variables>) {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = v
  if (clientId && clientSecret && webhookId) {
    return Object.freeze({ clientId, clientSecret, webhookId, apiUrl: payPalApi(v).url })
  }
  return requireAllOrNone('PayPal', { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId })
}

/** A key alone, or a model without a URL, is a mistake. A self-hosted server may need no key. */
function languageModel({ AI_BASE_URL: url, AI_API_KEY: apiKey, AI_MODEL: model, AI_TIMEOUT_MS: timeoutMs }: z.infer<typeof variables>) {
  if (url && model) return Object.freeze({ baseUrl: url.replace(/\/+$/, ''), apiKey, model, timeoutMs })
  if (apiKey && !url && !model)
    throw new ConfigError('AI_BASE_URL and AI_MODEL must be set too: AI_API_KEY is the key of a language model.')
  return requireAllOrNone('a language model', { AI_BASE_URL: url, AI_MODEL: model })
}

/** OpenTelemetry's standard variables. Without the endpoint, the others are meant for other programs on the machine. */
function tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, ...v }: z.infer<typeof variables>) {
  if (!endpoint) return undefined
  return Object.freeze({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: otlpHeaders(headers ?? '') ?? {},
    serviceName: v.OTEL_SERVICE_NAME ?? v.BRAND_NAME,
    share: v.OTEL_TRACES_SAMPLER_ARG,
  })
}

/** All or none must be set. @throws ConfigError naming the missing ones */
function requireAllOrNone(feature: string, variables: Record<string, string | undefined>): undefined {
  const names = Object.keys(variables)
  const missing = names.filter((name) => !variables[name])
  if (missing.length === names.length) return undefined
  throw new ConfigError(`${listed(missing, 'and')} must be set too: ${feature} needs ${listed(names, 'and')}.`)
}

/** Both keys or neither must be set. */
function vapidKeys({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: z.infer<typeof variables>) {
  if (publicKey && privateKey) return Object.freeze({ publicKey, privateKey })
  if (!publicKey && !privateKey) return undefined
  throw new ConfigError(
    `${publicKey ? 'VAPID_PRIVATE_KEY' : 'VAPID_PUBLIC_KEY'} must be set too: pushes need VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY.`,
  )
}

function invalidValueMessage(name: string, env: Record<string, string | undefined>, rule: string): string {
  const value = secretVariables.has(name) ? 'a value that is not shown here' : JSON.stringify(env[name])
  return `${name} is ${value}, but it ${rule}.`
}

/** Warnings for the log about settings that work but are probably mistakes. */
export function findDoubtfulSettings({
  smtpUrl,
  mailFrom,
  s3,
  dataDir,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 's3' | 'dataDir'>): string[] {
  const media = path.join(dataDir, 'media')
  return [
    ...(smtpUrl && /[@.]example>?$/.test(mailFrom) ? [`Set SUPPORT_EMAIL or MAIL_FROM: mail servers reject ${mailFrom} as a sender.`] : []),
    ...(s3 && fs.existsSync(media) && fs.readdirSync(media).length > 0
      ? [`The files in ${media} aren't served or deleted, because S3_ENDPOINT is set. Move them: see docs/operations.md.`]
      : []),
  ]
}
