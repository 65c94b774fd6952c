import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { showSecondFactor } from '#contracts/second-factor.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { CodeForm } from './code-form.tsx'
import { SetUp } from './set-up.tsx'

/** Protects moderator and admin pages: requires setting up a second factor, or repeating it if the last time was long ago. */
export function RoleGate({ user, children }: { user: CurrentUser; children: ReactNode }) {
  useRoleThatEnds()
  if (user.activeRole === user.role) return children
  const isOn = user.secondFactor !== 'off'
  return (
    <section aria-labelledby="role-gate" className="mx-auto mt-6 max-w-xl rounded-card border border-line bg-surface p-5 sm:p-8">
      <div className="mb-5 flex items-start gap-4">
        <span aria-hidden="true" className="grid size-11 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf">
          <ShieldCheck className="size-5.5" />
        </span>
        <div>
          <h2 id="role-gate" className="text-xl">
            {isOn ? 'Enter your code' : 'Set up a second factor'}
          </h2>
          <p className="mt-1 text-muted">
            {isOn
              ? `${capital(namesOf[user.role])} need to enter a code from their authenticator app every twelve hours.`
              : `${capital(namesOf[user.role])} sign in with a password and an authenticator code, because a password alone can be stolen. Setup takes two minutes.`}
          </p>
        </div>
      </div>
      {isOn ? (
        <CodeForm
          send={({ code }) => call(showSecondFactor, { body: { code } })}
          changesSession
          takesRecoveryCode
          buttonText="Continue"
          pendingText="Checking..."
        />
      ) : (
        <SetUp doneText="Continue" />
      )}
    </section>
  )
}

const namesOf = { member: 'members', moderator: 'moderators', admin: 'admins' }
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A page may stay open beyond the elevated session; the first call that is refused brings up the form. */
function useRoleThatEnds() {
  const client = useQueryClient()
  useEffect(() => {
    const ask = (error: unknown) => {
      if (error instanceof ApiError && error.code === 'second_factor_required') void refreshCurrentUser()
    }
    const queries = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') ask(event.action.error)
    })
    const mutations = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') ask(event.action.error)
    })
    return () => {
      queries()
      mutations()
    }
  }, [client])
}
