import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, findDoubtfulSettings, loadConfig, projectRoot, variableDefaults, variableNames } from './config.ts'

const secret = 's'.repeat(32)
const load = (env: Environment = {}) => loadConfig({ SESSION_SECRET: secret, ...env })

function faults(env: Environment): string[] {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('loadConfig', () => {
  it('needs no variable except the session secret', () => {
    expect(load()).toMatchObject({
      nodeEnv: 'production',
      isProduction: true,
      port: 3000,
      host: '::',
      publicUrl: 'http://localhost:3000',
      trustProxy: false,
      dataDir: path.join(projectRoot, '.data'),
      databaseUrl: undefined,
      databasePoolSize: 10,
      demoData: true,
      brandName: 'Sungrove',
      mailFrom: 'Sungrove <support@sungrove.example>',
      emailVerification: 'optional',
      rateLimitScale: 1,
      oidc: undefined,
      map: { tileUrl: undefined, pmtiles: undefined },
      logLevel: 'info',
    })
  })

  it('returns a frozen object', () => {
    const config = load()
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
  })

  it('treats an empty value as unset', () => {
    expect(load({ PORT: '', DATABASE_URL: ' ', OIDC_ISSUER: '' })).toMatchObject({ port: 3000, databaseUrl: undefined, oidc: undefined })
  })

  it('derives defaults from other variables', () => {
    expect(load({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000')
    expect(load({ PUBLIC_URL: 'https://Grove.example/' }).publicUrl).toBe('https://grove.example')
    expect(load({ DATABASE_URL: 'postgres://h/d' }).demoData).toBe(false)
    expect(load({ DEMO_DATA: 'off' }).demoData).toBe(false)
    expect(load({ LICENSE_REGISTERS: 'ny, CA' }).licenseRegisters.states).toEqual(['NY', 'CA'])
    expect(load({ SMTP_URL: 'smtp://mail' }).emailVerification).toBe('required')
    expect(load({ SMTP_URL: 'smtp://mail', EMAIL_VERIFICATION: 'optional' }).emailVerification).toBe('optional')
    expect(load({ BRAND_NAME: 'Leaf, Inc.', SUPPORT_EMAIL: 'a@b.example' }).mailFrom).toBe('"Leaf, Inc." <a@b.example>')
    expect(load({ BRAND_NAME: 'Büro 5' }).brandName).toBe('Büro 5')
    expect(load({ MAP_PMTILES: 'maps/us.pmtiles' }).map.pmtiles).toBe(path.join(projectRoot, 'maps/us.pmtiles'))
    expect(load({ MAP_PMTILES: 'https://tiles.example/us.pmtiles' }).map.pmtiles).toBe('https://tiles.example/us.pmtiles')
  })

  it('reads a list of replicas', () => {
    const primary = 'postgres://db/sungrove'
    expect(load({ DATABASE_URL: primary }).databaseReplicaUrls).toEqual([])
    const { databaseReplicaUrls } = load({
      DATABASE_URL: primary,
      DATABASE_REPLICA_URLS: 'postgres://db-1/sungrove, postgresql://db-2/sungrove',
    })
    expect(databaseReplicaUrls).toEqual(['postgres://db-1/sungrove', 'postgresql://db-2/sungrove'])
    expect(faults({ DATABASE_URL: primary, DATABASE_REPLICA_URLS: 'postgres://db-1/sungrove,db-2' })[0]).toMatch(/must be URLs that begin/)
    expect(faults({ DATABASE_REPLICA_URLS: 'postgres://db-1/sungrove' })[0]).toMatch(/^DATABASE_URL must be set too/)
  })

  it('reads the trusted proxies as addresses or a number of hops, and trusts none by default', async () => {
    const forwarded = '192.0.2.66, 192.0.2.1, 10.0.0.2'
    const seen = async (TRUST_PROXY: string) => {
      const app = Fastify({ trustProxy: load({ TRUST_PROXY }).trustProxy })
      app.get('/', async (request) => request.ip)
      const { body } = await app.inject({ url: '/', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': forwarded } })
      return body
    }
    expect(await seen('')).toBe('10.0.0.1')
    expect(await seen('0')).toBe('10.0.0.1')
    expect(await seen('1')).toBe('10.0.0.2')
    expect(await seen('2')).toBe('192.0.2.1')
    expect(await seen('10.0.0.0/8, ::1,loopback')).toBe('192.0.2.1')
    expect(await seen('192.0.2.1')).toBe('10.0.0.1')
  })

  it('reads the stored secret only if none is set', () => {
    expect(loadConfig({ DATA_DIR: '/d' }, (dataDir) => `${dataDir}-secret`).sessionSecret).toBe('/d-secret')
    expect(loadConfig({ SESSION_SECRET: secret }, () => 'another').sessionSecret).toBe(secret)
    expect(() => loadConfig({})).toThrow(ConfigError)
  })

  it.each<[string, string, RegExp]>([
    ['PORT', '3000x', /^PORT is "3000x", but it must be a whole number from 1 to 65535\.$/],
    ['PORT', '70000', /whole number/],
    ['PORT', '-1', /whole number/],
    ['HOST', 'http://x', /address or a host name/],
    ['PUBLIC_URL', 'https://grove.example/shop', /without a path/],
    ['PUBLIC_URL', 'ftp://grove.example', /without a path/],
    ['TRUST_PROXY', '10.0.0.0/64', /addresses and CIDRs/],
    ['TRUST_PROXY', 'everyone', /addresses and CIDRs/],
    ['BRAND_NAME', '緑', /^BRAND_NAME is "緑", but it must contain a letter from A to Z or a digit/],
    ['BRAND_NAME', 'Discover', /not match the address of a page/],
    ['DEMO_DATA', 'yes', /must be on or off/],
    ['LICENSE_REGISTERS', 'New York', /postal codes of states/],
    ['DATABASE_POOL_SIZE', '0', /from 1 to 500/],
    ['SUPPORT_EMAIL', 'support', /email address/],
    ['MAIL_FROM', 'a@b.example\nBcc: c@d.example', /email address/],
    ['RATE_LIMIT_SCALE', '0', /above 0/],
    ['RATE_LIMIT_STORE', 'redis', /must be memory or postgres/],
    ['EMAIL_VERIFICATION', 'on', /must be required or optional/],
    ['OIDC_ISSUER', 'accounts.example', /https:\/\/ or http:\/\//],
    ['LIVE_BUS', 'redis', /must be listen or poll/],
    ['VAPID_PUBLIC_KEY', 'short', /65 bytes in base64url/],
    ['MAP_TILE_URL', 'https://tiles.example/{z}/{x}.png', /\{z\}, \{x\} and \{y\}/],
    ['MAP_PMTILES', 'us.mbtiles', /\.pmtiles/],
    ['PRIVATE_TARGETS', '127.0.0.1', /must be IP addresses with ports/],
    ['PRIVATE_TARGETS', 'localhost:4000', /must be IP addresses with ports/],
    ['PRIVATE_TARGETS', '::1:4000', /must be IP addresses with ports/],
    ['LOG_LEVEL', 'loud', /must be trace, debug/],
    ['NODE_ENV', 'prod', /production, development or test/],
  ])('names the variable when it rejects %s=%s', (name, value, rule) => {
    const found = faults({ [name]: value })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(rule)
    expect(found[0]).toContain(`${name} is ${JSON.stringify(value)}`)
  })

  it.each(['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'SMTP_URL', 'SESSION_SECRET', 'VAPID_PRIVATE_KEY'])(
    'does not print an invalid %s',
    (name) => {
      const found = faults({ [name]: 'hunter2' })
      expect(found).toHaveLength(1)
      expect(found[0]).toMatch(new RegExp(`^${name} is a value that is not shown here`))
      expect(found[0]).not.toContain('hunter2')
    },
  )

  it('names every fault in one error', () => {
    expect(faults({ PORT: 'x', LOG_LEVEL: 'y', DEMO_DATA: 'z' })).toHaveLength(3)
  })

  it('requires all or none of the OpenID provider’s variables', () => {
    const whole = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'grove', OIDC_CLIENT_SECRET: 'hush' }
    expect(load({ ...whole, OIDC_NAME: 'Acme' }).oidc).toEqual({
      issuer: 'https://id.example',
      clientId: 'grove',
      clientSecret: 'hush',
      name: 'Acme',
    })
    expect(faults({ ...whole, OIDC_CLIENT_SECRET: '' })[0]).toMatch(/^OIDC_CLIENT_SECRET must be set too/)
  })
})

it('warns about mail from a reserved address, and about local files when S3 is set', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sungrove-config-'))
  const doubts = (env: Environment) => findDoubtfulSettings(load({ DATA_DIR: dataDir, ...env }))
  const SMTP_URL = 'smtps://mail.grove.farm'
  expect(doubts({})).toEqual([])
  expect(doubts({ SMTP_URL })).toEqual([
    'Set SUPPORT_EMAIL or MAIL_FROM: mail servers reject Sungrove <support@sungrove.example> as a sender.',
  ])
  expect(doubts({ SMTP_URL, SUPPORT_EMAIL: 'help@grove.farm' })).toEqual([])
  expect(doubts({ SMTP_URL, MAIL_FROM: 'Grove <mail@grove.farm>' })).toEqual([])
  const s3 = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'grove', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'hush' }
  expect(doubts(s3)).toEqual([])
  mkdirSync(path.join(dataDir, 'media/2026'), { recursive: true })
  expect(doubts({})).toEqual([])
  expect(doubts(s3)[0]).toContain("aren't served or deleted, because S3_ENDPOINT is set")
  rmSync(dataDir, { recursive: true })
})

it('requires both or neither of the web push keys', () => {
  const keys = { VAPID_PUBLIC_KEY: 'B'.repeat(87), VAPID_PRIVATE_KEY: 'p'.repeat(43) }
  expect(load(keys).vapidKeys).toEqual({ publicKey: keys.VAPID_PUBLIC_KEY, privateKey: keys.VAPID_PRIVATE_KEY })
  expect(load().vapidKeys).toBeUndefined()
  expect(faults({ VAPID_PUBLIC_KEY: keys.VAPID_PUBLIC_KEY })[0]).toMatch(/^VAPID_PRIVATE_KEY must be set too/)
})

describe('a language model', () => {
  const whole = { AI_BASE_URL: 'https://api.example/v1/', AI_MODEL: 'small' }

  it('needs an address and a model, with an optional key', () => {
    expect(load({}).ai).toBeUndefined()
    expect(load(whole).ai).toEqual({ baseUrl: 'https://api.example/v1', apiKey: undefined, model: 'small', timeoutMs: 8000 })
    expect(load({ ...whole, AI_API_KEY: 'sk-1' }).ai?.apiKey).toBe('sk-1')
    expect(load({ AI_BASE_URL: 'http://localhost:11434/v1', AI_MODEL: 'small' }).ai?.baseUrl).toBe('http://localhost:11434/v1')
  })

  it.each(['http://api.example/v1', 'https://me:hush@api.example/v1', 'https://api.example/v1?key=hush'])(
    'is rejected with the address %s',
    (url) => {
      expect(faults({ ...whole, AI_BASE_URL: url })[0]).toMatch(/must begin with https:\/\/, except on this machine/)
    },
  )

  it('is rejected if incomplete, without printing its key', () => {
    expect(faults({ AI_BASE_URL: 'https://api.example/v1' })[0]).toMatch(/^AI_MODEL must be set too/)
    expect(faults({ AI_API_KEY: 'sk-1' })[0]).toMatch(/^AI_BASE_URL and AI_MODEL must be set too/)
    expect(faults({ ...whole, AI_API_KEY: 'sk with spaces' })[0]).not.toContain('sk with')
  })
})

describe('a trace collector', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://otel:4318/'
  const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    load({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).tracing?.headers

  it('is configured through OpenTelemetry’s standard variables', () => {
    expect(load().tracing).toBeUndefined()
    expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '.5' }).tracing).toEqual({
      url: 'http://otel:4318/v1/traces',
      headers: {},
      serviceName: 'Sungrove',
      share: 0.5,
    })
    expect(headersOf('Api-Key=a%2Cb, x-team = grow=1,')).toEqual({ 'api-key': 'a,b', 'x-team': 'grow=1' })
  })

  it.each(['no value', '=x', 'a b=x', 'key=100%', 'key=a%0D%0Ab'])('is rejected with the header %j, which isn’t printed', (text) => {
    const found = faults({ OTEL_EXPORTER_OTLP_HEADERS: text })
    expect(found).toEqual([expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS is a value that is not shown here.*must be name=value/)])
  })
})

describe('a file store', () => {
  const whole = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'grove', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'hush' }

  it('is configured completely or not at all', () => {
    expect(load().s3).toBeUndefined()
    expect(load(whole).s3).toEqual({
      endpoint: 'https://s3.example',
      bucket: 'grove',
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'hush',
    })
    expect(faults({ ...whole, S3_BUCKET: '', S3_SECRET_ACCESS_KEY: '' })[0]).toMatch(/^S3_BUCKET and S3_SECRET_ACCESS_KEY must be set too/)
  })

  it('is rejected with the name of the invalid variable', () => {
    expect(faults({ ...whole, S3_ENDPOINT: 's3.example' })[0]).toMatch(/^S3_ENDPOINT is "s3.example", but it must be a URL/)
    expect(faults({ ...whole, S3_BUCKET: 'a/b' })[0]).toMatch(/the name of a bucket/)
  })
})

describe('docs/configuration.md', () => {
  const table = readFileSync(path.join(projectRoot, 'docs/configuration.md'), 'utf8')
  const documented = [...table.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].map(([, name = '', value = '']) => ({ name, value }))

  it('documents exactly the existing variables, in order', () => {
    expect(documented.map(({ name }) => name)).toEqual(variableNames)
  })

  it('states each default', () => {
    const wrong = documented.filter(({ name, value }) => {
      const known = (variableDefaults as Record<string, unknown>)[name]
      // Variables without a default, or with an empty list, are described in prose or derived from another variable.
      return typeof known === 'string' || typeof known === 'number' ? !value.startsWith(`\`${known}\``) : /^`[a-z0-9.]+`$/.test(value)
    })
    expect(wrong).toEqual([])
  })
})
