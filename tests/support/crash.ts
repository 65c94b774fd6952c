import type { KyselyPlugin } from 'kysely'
import type { Context } from '#server/kernel/context.ts'
import type { PaymentProvider } from '#server/kernel/payments.ts'

/** Simulates the end of the process, after which nothing runs. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

export type Crashing = { ctx: Context; steps(): number }

/**
 * A context whose process ends at the given step: before each database statement (which rolls back an open transaction), and before
 * and after each call to a payment provider. Every later step also fails.
 */
export function crashAt(ctx: Context, point: number): Crashing {
  let steps = 0
  const step = () => {
    if (++steps >= point) throw new Crash(`at step ${steps}`)
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      step()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const wrapped = (provider: PaymentProvider): PaymentProvider =>
    new Proxy(provider, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function' || name === 'isAvailable') return value
        return async (...given: unknown[]) => {
          step()
          const answer = await value.apply(target, given)
          step()
          return answer
        }
      },
    })
  const { payments } = ctx
  const test = payments.test && (wrapped(payments.test) as typeof payments.test)
  return {
    steps: () => steps,
    ctx: {
      ...ctx,
      db: ctx.db.withPlugin(plugin),
      payments: {
        ...payments,
        test,
        accountsAt(name) {
          const service = payments.accountsAt(name)
          return {
            ...service,
            ofAccount: (account) => wrapped(service.ofAccount(account)),
            async openAccount(keys, url) {
              step()
              const answer = await service.openAccount(keys, url)
              step()
              return answer
            },
          }
        },
        find(name) {
          const provider = payments.find(name)
          return provider && (name === 'test' && test ? test : wrapped(provider))
        },
      },
    },
  }
}
