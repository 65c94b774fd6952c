type Description = {
  /** Shown in lists of purchases and payments. */
  label: string
  /** Shown when choosing among several ways to pay. */
  choice: string
  /** Shown on receipts. */
  receiptName: string
  /**
   * How people pay.
   * - `button`: they approve with the provider's own button, which its script puts into the page; the provider then charges them every
   *   month
   * - `invoice`: they pay later, and each payment is recorded by hand
   * - `test`: they approve in a window of ours, and no money moves; labeled as such
   */
  kind: 'button' | 'invoice' | 'test'
  /** Hours to approve a purchase, or to pay an invoice. A later approval still counts, because it was paid. */
  checkoutHours: number
  /** What a business enters to be paid directly; null if only the site can be paid this way. */
  account: 'keys' | 'instructions' | null
  /** Where payers cancel at the provider itself, if we can't. */
  cancelHint: string | null
}

/** Everything else about a provider follows from here, or is keyed by the same names: see docs/changing.md. */
export const paymentProviders = {
  test: {
    label: 'Test mode',
    choice: 'Test payment',
    receiptName: 'Test provider',
    kind: 'test',
    checkoutHours: 24,
    account: null,
    cancelHint: null,
  },
  paypal: {
    label: 'PayPal',
    choice: 'PayPal',
    receiptName: 'PayPal',
    kind: 'button',
    checkoutHours: 24,
    account: 'keys',
    cancelHint: 'under Settings, Payments, Automatic payments',
  },
  invoice: {
    label: 'Invoice',
    choice: 'Invoice',
    receiptName: 'Invoice',
    kind: 'invoice',
    checkoutHours: 30 * 24,
    account: 'instructions',
    cancelHint: null,
  },
} as const satisfies Record<string, Description>

type Providers = typeof paymentProviders
type NamesOf<Part extends Partial<Description>> = {
  [Name in keyof Providers]: Providers[Name] extends Part ? Name : never
}[keyof Providers]

export type PaymentProviderName = keyof Providers
/** Providers that draw their own button. */
export type ButtonProvider = NamesOf<{ kind: 'button' }>
/** Providers that charge by themselves. */
export type ChargingProvider = NamesOf<{ kind: 'button' | 'test' }>
/** Providers through which businesses can be paid directly. */
export type AccountProvider = NamesOf<{ account: 'keys' | 'instructions' }>
/** Account providers that businesses connect with keys. */
export type KeysProvider = NamesOf<{ account: 'keys' }>

export const paymentProviderNames = Object.keys(paymentProviders) as readonly PaymentProviderName[]

const describe = (name: PaymentProviderName): Description => paymentProviders[name]

export const isTest = (name: PaymentProviderName): boolean => describe(name).kind === 'test'
export const hasButton = (name: PaymentProviderName): name is ButtonProvider => describe(name).kind === 'button'
export const chargesItself = (name: PaymentProviderName): name is ChargingProvider => describe(name).kind !== 'invoice'
export const takesAccounts = (name: PaymentProviderName): name is AccountProvider => describe(name).account !== null
export const takesKeys = (name: PaymentProviderName): name is KeysProvider => describe(name).account === 'keys'

export const buttonProviders = paymentProviderNames.filter(hasButton)
