import type { JobHandlers, JobName } from '#server/kernel/jobs.ts'
import type { PaymentProvider, Payments } from '#server/kernel/payments.ts'

/** Observers such as metrics and traces. If there are none, calls aren't wrapped. */
export type Watch = {
  job(name: string, run: () => Promise<void>): Promise<void>
  outside(service: 'mail' | 'push' | 'payments', run: () => Promise<unknown>): Promise<unknown>
}

export function combineWatches(watches: readonly Watch[]): Watch | null {
  if (watches.length === 0) return null
  return {
    job: (name, run) => watches.reduceRight((inner, watch) => () => watch.job(name, inner), run)(),
    outside: (service, run) => watches.reduceRight((inner, watch) => () => watch.outside(service, inner), run)(),
  }
}

/** Wraps an object's async methods in `around`. Everything else is unchanged. */
export function watchCalls<Target extends object>(target: Target, around: (call: () => Promise<unknown>) => Promise<unknown>): Target {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const answer: unknown = value.apply(object, args)
        return answer instanceof Promise ? around(() => answer) : answer
      }
    },
  })
}

export function watchJobs(handlers: JobHandlers, watch: Watch): JobHandlers {
  const entries = Object.entries(handlers) as [JobName, (data: never) => Promise<void>][]
  return Object.fromEntries(entries.map(([name, handle]) => [name, (data: never) => watch.job(name, () => handle(data))])) as JobHandlers
}

export function watchPayments(payments: Payments, watch: Watch | null): Payments {
  if (!watch) return payments
  const around = (call: () => Promise<unknown>) => watch.outside('payments', call)
  const seen = new WeakMap<PaymentProvider, PaymentProvider>()
  const watched = (provider: PaymentProvider): PaymentProvider => {
    const known = seen.get(provider) ?? watchCalls(provider, around)
    seen.set(provider, known)
    return known
  }
  return {
    ...payments,
    find(name) {
      const provider = payments.find(name)
      return provider && watched(provider)
    },
    accountsAt(name) {
      const service = payments.accountsAt(name)
      return {
        ...service,
        ofAccount: (account) => watched(service.ofAccount(account)),
        openAccount: (keys, url) => around(() => service.openAccount(keys, url)) as ReturnType<typeof service.openAccount>,
        closeAccount: (keys, webhookId) => around(() => service.closeAccount(keys, webhookId)) as Promise<void>,
      }
    },
  }
}
