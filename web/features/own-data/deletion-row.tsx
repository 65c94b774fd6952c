import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, CircleAlert, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type AccountDeletion, graceDays } from '../../../contracts/own-data.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { deletionOptions } from './own-data.api.ts'

const goes = [
  'Your profile and every way to sign in',
  'Posts, comments and reviews, and messages from both sides',
  'Your hunts with everything in them, and your photos and videos',
  'What you follow, save and subscribe to; payments are canceled',
]

const stays = [
  'What others wrote under your posts, without your name',
  'What you wrote for a business: it is the business’s',
  'Figures you recorded in hunts of others, without your words, photos and name',
  'Amount, day and number of payments, as the law asks, without your name',
  'Backups, until they expire',
]

/** The end of an account: what goes, what stays, what has to be settled first. */
export function DeletionRow() {
  const deletion = useQuery(deletionOptions)
  const [isOpen, setOpen] = useState(false)
  const state = deletion.data
  const blocked = state !== undefined && obstaclesOf(state).length > 0
  return (
    <SettingsTopic
      title="Delete your account"
      hint={`Everything is deleted ${graceDays} days after you ask. Until then nobody sees you here, and you can sign in and keep your account.`}
      action={
        <Button variant="secondary" disabled={state === undefined || blocked} onClick={() => setOpen(true)}>
          Delete account
        </Button>
      }
    >
      <Loaded
        query={deletion}
        loadingLabel="Loading what has to be settled..."
        skeleton={<Skeleton className="h-40 rounded-input" />}
        failure="What has to be settled could not be loaded"
      >
        {(data) => (
          <div className="grid gap-5">
            <Obstacles state={data} />
            <div className="grid gap-5 sm:grid-cols-2">
              <Facts title="What goes" facts={goes} icon={<X aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-clay" />} />
              <Facts title="What stays" facts={stays} icon={<Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-leaf" />} />
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

/** What is in the way, each with the place where it is settled. */
function obstaclesOf({ isStaff, businesses, communities }: AccountDeletion): { key: string; text: ReactNode }[] {
  return [
    ...(isStaff ? [{ key: 'staff', text: 'You act for this site. Ask an admin to take your role away.' }] : []),
    ...businesses
      .filter(({ mustHandOver }) => mustHandOver)
      .map(({ id, slug, name }) => ({
        key: id,
        text: (
          <>
            Hand {name} over to somebody of{' '}
            <Link to="/business-dashboard/team" search={{ business: slug }} className={textLink}>
              its team
            </Link>
            .
          </>
        ),
      })),
    ...communities.map(({ id, slug, name }) => ({
      key: id,
      text: (
        <>
          Hand over or delete{' '}
          <Link to="/communities/$id" params={{ id: slug }} className={textLink}>
            {name}
          </Link>
          .
        </>
      ),
    })),
  ]
}

function Obstacles({ state }: { state: AccountDeletion }) {
  const obstacles = obstaclesOf(state)
  if (obstacles.length === 0) return null
  return (
    <div className="rounded-input bg-clay-soft p-4">
      <p className="flex items-center gap-2 font-medium text-clay text-sm">
        <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
        Before you can delete your account
      </p>
      <ul className="mt-2 grid list-disc gap-1.5 pl-6 text-sm">
        {obstacles.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
