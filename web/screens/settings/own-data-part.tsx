import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, CircleAlert, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { requestAccountDeletion } from '#contracts/calls/own-data.ts'
import { deletionPhrase, graceDays } from '#contracts/limits.ts'
import type { AccountDeletion } from '#contracts/own-data.endpoints.ts'
import { saveDeletionDate } from '#web/entities/accounts/asked-for.ts'
import { ProvenDialog } from '#web/entities/accounts/proof.tsx'
import { useBusinessLabels } from '#web/entities/businesses/businesses.api.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatList } from '#web/lib/format.ts'
import { isSuspended } from '#web/lib/route-access.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { SettingsSection, SettingsTopic } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { dayWords, deletionOptions, ExportRow } from './export-row.tsx'

export default function OwnDataPart() {
  return (
    <SettingsSection id="data" title="Your data" description="Download or delete your data.">
      <div className="divide-y divide-line">
        <ExportRow />
        <DeletionRow />
      </div>
    </SettingsSection>
  )
}

const deletedItems = [
  'Your profile and every way to sign in',
  'Posts, comments and reviews, and your messages, even in other people’s inboxes',
  'Your hunts with everything in them, and your photos and videos',
  'Your follows, favorites and subscriptions (payments are canceled)',
  'Payment details you set up for a business (its subscribers’ payments to you are canceled)',
  'License documents, webhooks and the menu address of a business that you give up',
]

const keptItems = [
  'What others wrote under your posts, without your name',
  'What you posted as a business, because it belongs to the business',
  'A business that you give up, with its menu, posts, photos and verified license',
  'Measurements you recorded in other people’s hunts, without your notes, photos or name',
  'Payment amounts, dates and numbers without your name, as the law requires',
  'Backups, until they expire',
]

function DeletionRow() {
  const deletion = useQuery(deletionOptions)
  const [isOpen, setOpen] = useState(false)
  const state = deletion.data
  const blocked = state !== undefined && obstaclesOf(state, ({ name }) => name).length > 0
  return (
    <SettingsTopic
      title="Delete your account"
      hint={`We delete your account ${graceDays} days after you ask. Until then, your profile is hidden, and you can sign in and choose “Keep my account”.`}
      action={
        <Button variant="secondary" disabled={state === undefined || blocked} onClick={() => setOpen(true)}>
          Delete account
        </Button>
      }
    >
      <Loaded
        query={deletion}
        loadingLabel="Checking your account..."
        skeleton={<Skeleton className="h-40 rounded-input" />}
        failure="Your account couldn’t be checked"
      >
        {(data) => (
          <div className="grid gap-5">
            <Obstacles state={data} />
            <div className="grid gap-5 sm:grid-cols-2">
              <Facts
                title="What’s deleted"
                facts={deletedItems}
                icon={<X aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-clay" />}
              />
              <Facts
                title="What’s kept"
                facts={keptItems}
                icon={<Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-leaf" />}
              />
            </div>
          </div>
        )}
      </Loaded>
      {isOpen && state && <DeleteDialog state={state} onClose={() => setOpen(false)} />}
    </SettingsTopic>
  )
}

const Facts = ({ title, facts, icon }: { title: string; facts: readonly string[]; icon: ReactNode }) => (
  <div>
    <h4 className="font-semibold font-text text-sm tracking-normal">{title}</h4>
    <ul className="mt-2 grid gap-1.5 text-muted text-sm">
      {facts.map((fact) => (
        <li key={fact} className="flex gap-2">
          {icon}
          <span>{fact}</span>
        </li>
      ))}
    </ul>
  </div>
)

function obstaclesOf(
  { isStaff, businesses, communities }: AccountDeletion,
  labelOf: ReturnType<typeof useBusinessLabels>,
  mayOpen = true,
): { key: string; text: ReactNode }[] {
  return [
    ...(isStaff ? [{ key: 'staff', text: 'You have a role on this site. Ask an admin to remove it.' }] : []),
    ...businesses
      .filter(({ mustHandOver }) => mustHandOver)
      .map(({ id, slug, name }) => ({
        key: id,
        text: (
          <>
            Transfer {labelOf({ id, name })} to someone on{' '}
            {mayOpen ? (
              <Link to="/business-dashboard/team" search={{ business: slug }} className={textLink}>
                its team
              </Link>
            ) : (
              'its team'
            )}
            .
          </>
        ),
      })),
    ...communities.map(({ id, slug, name }) => ({
      key: id,
      text: (
        <>
          Transfer or delete{' '}
          {mayOpen ? (
            <Link to="/communities/$id" params={{ id: slug }} className={textLink}>
              {name}
            </Link>
          ) : (
            name
          )}
          .
        </>
      ),
    })),
  ]
}

function Obstacles({ state }: { state: AccountDeletion }) {
  const user = useCurrentUser()
  const now = useNow()
  const isAlone = user !== null && isSuspended(user, now)
  const obstacles = obstaclesOf(state, useBusinessLabels(state.businesses.length > 1 && !isAlone), !isAlone)
  if (obstacles.length === 0) return null
  return (
    <div className="rounded-input bg-clay-soft p-4">
      <p className="flex items-center gap-2 font-medium text-clay text-sm">
        <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
        Before you can delete your account:
      </p>
      <ul className="mt-2 grid list-disc gap-1.5 pl-6 text-sm">
        {obstacles.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
      {isAlone && (
        <p className="mt-2 text-sm">
          You can’t do this while your account is restricted.{' '}
          <Link to="/contact" className={textLink}>
            Contact us
          </Link>
          , and we’ll help.
        </p>
      )}
    </div>
  )
}

/** After confirmation, the sign-in screen shows how long people can restore the account. */
function DeleteDialog({ state, onClose }: { state: AccountDeletion; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [givesUp, setGivesUp] = useState(false)
  const [wrong, setWrong] = useState<{ typed?: string; givesUp?: string }>({})
  const givesUpBox = useRef<HTMLInputElement>(null)
  const typedField = useRef<HTMLInputElement>(null)
  const labelOf = useBusinessLabels(state.businesses.length > 1)
  const { businesses, subscriptions } = state

  function check(): boolean {
    const found = {
      ...(typed.trim().toLowerCase() === deletionPhrase ? {} : { typed: `Type “${deletionPhrase}”` }),
      ...(businesses.length === 0 || givesUp ? {} : { givesUp: 'Confirm that you’ll give up ownership, or transfer it first' }),
    }
    setWrong(found)
    const first = found.givesUp ? givesUpBox : found.typed ? typedField : null
    first?.current?.focus()
    return Object.keys(found).length === 0
  }

  return (
    <ProvenDialog
      title="Delete your account?"
      confirmText="Delete account"
      pendingText="Deleting..."
      variant="danger"
      check={check}
      onConfirm={async (password) => {
        const body = { password, confirmation: typed, givesUpBusinesses: givesUp }
        const { dueAt } = await call(requestAccountDeletion, { body })
        saveDeletionDate(dueAt)
        // Loading a new page discards the account's data in memory.
        window.location.assign('/auth')
        await new Promise(() => {})
      }}
      onClose={onClose}
    >
      <p className="text-muted">
        We’ll sign you out everywhere and hide your profile. In {graceDays} days, we’ll permanently delete your account.
      </p>
      {subscriptions.length > 0 && (
        <div className="rounded-input bg-sunk p-4 text-sm">
          <p className="font-medium">Canceled right away</p>
          <ul className="mt-1 list-disc pl-5 text-muted">
            {subscriptions.map(({ id, title, paidUntil }) => (
              <li key={id}>
                {title}
                {paidUntil && `, paid until ${dayWords(paidUntil)}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {businesses.length > 0 && (
        <Checkbox
          ref={givesUpBox}
          checked={givesUp}
          onChange={({ target }) => setGivesUp(target.checked)}
          error={wrong.givesUp}
          hint="The menu, posts and photos will remain on the listing. Before you go, remove any you don’t want to leave there. Its license documents, webhooks, menu address and payment details are deleted, and its subscribers’ payments are canceled."
        >
          I give up ownership of {formatList(businesses.map(labelOf))}, which will be listed as unclaimed
        </Checkbox>
      )}
      <Field label={`Type “${deletionPhrase}”`} error={wrong.typed}>
        <Input ref={typedField} value={typed} autoComplete="off" autoCapitalize="none" onChange={({ target }) => setTyped(target.value)} />
      </Field>
    </ProvenDialog>
  )
}
