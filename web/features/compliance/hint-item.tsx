import { Link } from '@tanstack/react-router'
import { textLink } from '../../ui/link-styles.ts'
import type { Excerpt, Hint } from './judged.ts'
import { Source } from './source.tsx'

/** `isApart`: it weighs less than the one that the list begins with, and says so itself. */
export function HintItem({ hint: { title, says, excerpts, cited, effect, topic }, isApart }: { hint: Hint; isApart: boolean }) {
  return (
    <li className="border-line border-t pt-3.5">
      <p className="text-[0.9375rem]">
        <span className="font-medium">{title}.</span> {says}
        {isApart && (
          <span className="text-muted"> {effect === 'hold' ? 'A moderator looks at it first.' : 'It goes out all the same.'}</span>
        )}
      </p>
      {excerpts.length > 0 && (
        <ul className="mt-1.5 grid gap-1">
          {excerpts.map((excerpt) => (
            <li key={excerpt.at}>
              <Quote excerpt={excerpt} />
            </li>
          ))}
        </ul>
      )}
      {topic === 'license' && (
        <p className="mt-1.5 text-sm">
          <Link to="/business-dashboard" className={textLink}>
            Verify the license on the dashboard
          </Link>
          <span className="text-muted">, or post it as an update.</span>
        </p>
      )}
      <p className="mt-1.5 text-muted text-sm">
        {cited ? (
          <>
            {cited.isOwn && <span className="text-ink">{cited.jurisdiction}: </span>}
            {cited.says} {cited.isOwn ? <Source rule={cited} /> : <RulesLink />}
          </>
        ) : (
          <Link to="/guidelines" className={textLink}>
            Our guidelines
          </Link>
        )}
      </p>
    </li>
  )
}

const RulesLink = () => (
  <Link to="/rules" className={textLink}>
    All rules, with their sources
  </Link>
)

const Quote = ({ excerpt: { before, found, after } }: { excerpt: Excerpt }) => (
  <q className="text-muted text-sm wrap-anywhere">
    {before}
    <mark className="rounded-tag bg-shine-soft px-0.5 font-medium text-shine-ink">{found}</mark>
    {after}
  </q>
)
