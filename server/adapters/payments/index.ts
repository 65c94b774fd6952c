import { LRUCache } from 'lru-cache'
import {
  type ButtonProvider,
  buttonProviders,
  hasButton,
  type KeysProvider,
  paymentProviderNames,
  takesKeys,
} from '#contracts/payment-providers.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/context.ts'
import type { AccountService, PaymentProvider, Payments, ProviderPage } from '#server/kernel/payments.ts'
import { payPal, payPalAccounts } from './paypal.ts'
import { createTestProvider } from './test-provider.ts'

type Service = {
  page: ProviderPage
  /** Uses the site's own account. Null if it isn't configured. */
  ofSite(config: Config, clock: Clock): PaymentProvider | null
}

const services: Record<ButtonProvider, Service> = { paypal: payPal }
const accountServices: Record<KeysProvider, (config: Config, clock: Clock) => AccountService> = { paypal: payPalAccounts }

/** Real payments disable the test provider, because its plans cost nothing. */
export function createPayments(config: Config, db: Db, clock: Clock): Payments {
  const sites = sitesOf(config, clock)
  const isReal = takesMoney(config, sites)
  const test = isReal ? null : createTestProvider({ db, clock, secret: config.sessionSecret })
  const accounts = new Map(buttonProviders.filter(takesKeys).map((name) => [name, withCache(accountServices[name](config, clock))]))
  return {
    offered: paymentProviderNames.filter((name) =>
      hasButton(name) ? sites.get(name) : name === 'invoice' ? config.invoiceInstructions !== undefined : test,
    ),
    find: (name) => (hasButton(name) ? (sites.get(name) ?? null) : name === 'test' ? test : null),
    test,
    takesAccounts: isReal,
    accountsAt: (name) => accounts.get(name) as AccountService,
    invoiceInstructions: config.invoiceInstructions ?? null,
  }
}

/** What the content security policy must allow for the providers' buttons. With real payments, businesses may have their own accounts. */
export function providerPages(config: Config, clock: Clock): ProviderPage[] {
  const sites = sitesOf(config, clock)
  const isReal = takesMoney(config, sites)
  return buttonProviders.filter((name) => sites.get(name) || (isReal && takesKeys(name))).map((name) => services[name].page)
}

type Sites = ReadonlyMap<ButtonProvider, PaymentProvider | null>

const sitesOf = (config: Config, clock: Clock): Sites =>
  new Map(buttonProviders.map((name) => [name, services[name].ofSite(config, clock)]))

const takesMoney = (config: Config, sites: Sites): boolean =>
  config.invoiceInstructions !== undefined || [...sites.values()].some((site) => site !== null)

/** Caches the token and pause of this many accounts. An evicted account costs an extra call. */
const maxAccounts = 500

function withCache(service: AccountService): AccountService {
  const accounts = new LRUCache<string, { keys: string; provider: PaymentProvider }>({ max: maxAccounts })
  return {
    ...service,
    ofAccount(account) {
      const { id, clientId, clientSecret, webhookId } = account
      const keys = JSON.stringify([clientId, clientSecret, webhookId])
      const known = accounts.get(id)
      if (known?.keys === keys) return known.provider
      const provider = service.ofAccount(account)
      accounts.set(id, { keys, provider })
      return provider
    },
  }
}
