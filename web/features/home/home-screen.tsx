import { Link } from '@tanstack/react-router'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { BusinessRow } from './business-row.tsx'
import { FavoritesGlance } from './favorites-glance.tsx'

/** Home of signed-in people. Visitors and newcomers never get here: the root shows them another screen. */
export default function HomeScreen() {
  const user = useCurrentUser()
  if (!user) return null
  return (
    <div className="mx-auto grid max-w-page gap-10 px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Welcome user={user} />
        <FavoritesGlance />
      </div>
      {user.location && (
        <BusinessRow
          title="Near you"
          description={user.location}
          query={{ near: user.location }}
          search={{ near: user.location }}
          all="See all near you"
        />
      )}
      <BusinessRow
        title="Featured Businesses"
        description="Ranked by ratings. Nobody pays to be here."
        query={{}}
        search={{}}
        all="See all businesses"
      />
    </div>
  )
}

function Welcome({ user }: { user: CurrentUser }) {
  return (
    <Card className="relative isolate flex">
      <Hills />
      <CardBody className="flex flex-1 flex-col justify-between gap-8 sm:p-7">
        <div className="max-w-md">
          <h1 data-title="Home" className="text-2xl wrap-anywhere sm:text-3xl">
            Welcome, {ownDisplayName(user)}
          </h1>
          <p className="mt-2 text-muted">Licensed farms and dispensaries, where they are and what the register says of them.</p>
        </div>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
          <dl className="flex gap-8">
            <Count name="Following" value={user.followingCount} />
            <Count name="Followers" value={user.followersCount} />
          </dl>
          <Button asChild>
            <Link to="/discover">Discover</Link>
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="font-normal! text-muted text-sm">{name}</dt>
      <dd className="font-display text-2xl tabular-nums">{value.toLocaleString('en-US')}</dd>
    </div>
  )
}

/** Morning over the foot of the card, in the quietest tones of the covers. */
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
