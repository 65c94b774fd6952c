import { Link } from '@tanstack/react-router'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { typeGroups } from './notification-words.ts'

/** What there can be notifications about. */
export function TypesCard() {
  return (
    <Card asChild>
      <section aria-labelledby="notification-types">
        <CardBody>
          <h2 id="notification-types" className="text-lg">
            What you are told about
          </h2>
          <ul className="mt-4 grid gap-4">
            {typeGroups.map(({ title, text, Icon }) => (
              <li key={title} className="flex gap-3">
                <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
                <div>
                  <p className="font-medium text-[0.9375rem]">{title}</p>
                  <p className="text-muted text-sm">{text}</p>
                </div>
              </li>
            ))}
          </ul>
          <p className="mt-5 border-line border-t pt-4 text-sm">
            <Link to="/notifications/preferences" className={textLink}>
              Choose what, how and when
            </Link>
          </p>
        </CardBody>
      </section>
    </Card>
  )
}
