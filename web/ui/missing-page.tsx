import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Vignette } from './empty-state.tsx'

export default function MissingPage() {
  const user = useCurrentUser()
  return (
    <div className="mx-auto grid max-w-lg justify-items-center gap-2 px-4 py-20 text-center sm:py-28">
      <Vignette className="mb-4" />
      <h1 className="text-2xl sm:text-3xl">404 Page Not Found</h1>
      <p className="mt-1 text-muted">There’s no page at this address. It may have moved, or the link may have a typo.</p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        {user ? (
          <>
            <Link to="/discover" className={buttonClass('primary')}>
              Discover businesses
            </Link>
            <Link to="/" className={buttonClass('secondary')}>
              Go to your feed
            </Link>
          </>
        ) : (
          <Link to="/landing" className={buttonClass('primary')}>
            Go to the home page
          </Link>
        )}
        <Link to="/help" className={buttonClass('quiet')}>
          Help center
        </Link>
      </div>
    </div>
  )
}
