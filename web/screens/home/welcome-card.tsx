import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'

export function WelcomeCard({ user }: { user: CurrentUser }) {
  const name = ownDisplayName(user)
  return (
    <Card className="relative isolate">
      <Hills />
      <CardBody className="grid gap-4 sm:gap-5 sm:p-6">
        <div className="flex items-center gap-3.5">
          <Avatar id={user.id} name={name} imageUrl={user.profileImageUrl} size="lg" />
          <h1 data-title="Home" className="min-w-0 text-xl wrap-anywhere sm:text-2xl">
            Welcome, {name}
          </h1>
        </div>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <dl className="flex gap-7">
            <Count value={user.followingCount}>
              <Link to="/people/$id/$list" params={{ id: user.id, list: 'following' }} className={countLink}>
                Following
              </Link>
            </Count>
            <Count value={user.followersCount}>
              <Link to="/people/$id/$list" params={{ id: user.id, list: 'followers' }} className={countLink}>
                Followers
              </Link>
            </Count>
          </dl>
          <Button asChild className="max-md:hidden">
            <Link to="/create-post">
              <PenLine aria-hidden="true" />
              Create Post
            </Link>
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}

const countLink =
  'rounded-tag after:absolute after:-inset-x-2 after:-inset-y-1 after:rounded-input hover:underline hover:underline-offset-3 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus'

function Count({ value, children }: { value: number; children: ReactNode }) {
  return (
    <div className="relative flex flex-col-reverse">
      <dt className="font-normal! text-muted text-sm">{children}</dt>
      <dd className="font-display text-2xl tabular-nums">{formatNumber(value)}</dd>
    </div>
  )
}

/** Morning hills at the bottom of the card, in the covers' palest tones. */
function Hills() {
  return (
    <svg
      viewBox="0 0 640 240"
      preserveAspectRatio="xMaxYMax slice"
      data-cover="farm"
      aria-hidden="true"
      className="absolute inset-0 -z-1 size-full opacity-60"
    >
      <circle cx="540" cy="104" r="30" fill="var(--cover-sun)" className="max-sm:hidden" />
      <path d="M0 214c120-34 230-20 330-4s210 6 310-62v92H0z" fill="var(--cover-sky)" />
      <path d="M0 232c140-24 250-18 360-8s200-8 280-38v54H0z" fill="var(--cover-far)" />
    </svg>
  )
}
