import { Link } from '@tanstack/react-router'
import { brand } from '../../lib/boot.ts'
import { textLink } from '../../ui/link-styles.ts'
import { LogCounts } from './log-counts.tsx'
import { LogList } from './log-list.tsx'

/** What moderators did, for everybody to read: counts, and each action without names. */
export function ModerationLogScreen() {
  return (
    <div className="mx-auto max-w-page px-4 pt-10 pb-20 sm:px-6 sm:pt-14">
      <header className="max-w-text">
        <h1 className="text-3xl sm:text-4xl">Moderation log</h1>
        <p className="mt-4 text-lg text-muted">
          What moderators of {brand.name} did, and why. Nobody is named here, neither who wrote something nor who decided, and nothing of
          what was written is shown.
        </p>
        <p className="mt-3 text-muted">
          The rules stand in the{' '}
          <Link to="/guidelines" className={textLink}>
            community guidelines
          </Link>
          . Whoever something is done to reads the reasons, and can appeal to another moderator.
        </p>
      </header>
      <LogCounts />
      <LogList />
    </div>
  )
}
