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
import type { Clock } from '#server/kernel/clock.ts'
import type { AccountService, PaymentProvider, Payments, ProviderPage } from '#server/kernel/payments.ts'
import { payPal, payPalAccounts } from './paypal.ts'
import { createTestProvider } from './test-provider.ts'

type Service = {
  page: ProviderPage
  /** The provider with the site's own account; null if it isn't configured. */
  ofSite(config: Config, clock: Clock): PaymentProvider | null
}

/** Providers that charge people through a button on our pages. */
const services: Record<ButtonProvider, Service> = { paypal: payPal }
/** Providers through which businesses can be paid into their own accounts. */
const accountServices: Record<KeysProvider, (config: Config, clock: Clock) => AccountService> = { paypal: payPalAccounts }

/** If real payments are possible, the test provider is disabled, because it would give plans away. */
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

/** What pages must allow for the buttons that people may see here. With real payments, businesses may have accounts of their own. */
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

/** Accounts with a cached token and pause; evicted ones cost one more call. */
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
