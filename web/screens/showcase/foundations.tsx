import type { ReactNode } from 'react'
import { type BusinessType, businessTypeLabels, businessTypes } from '#contracts/business-types.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { cardLink, navLink, quietLink, textLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

const colors = {
  Grounds: ['bg-ground', 'bg-surface', 'bg-sunk', 'bg-raised', 'bg-line', 'bg-edge'],
  Leaf: ['bg-leaf', 'bg-leaf-strong', 'bg-leaf-soft'],
  Shine: ['bg-shine', 'bg-shine-strong', 'bg-shine-soft', 'bg-star'],
  Clay: ['bg-clay', 'bg-clay-strong', 'bg-clay-soft'],
  Text: ['bg-ink', 'bg-muted'],
}

const scale = ['text-4xl', 'text-3xl', 'text-2xl', 'text-xl', 'text-lg', 'text-base', 'text-sm', 'text-xs']

export function Foundations() {
  return (
    <>
      <Specimen title="Brand">
        {() => (
          <Row>
            <span className="inline-flex items-center gap-2.5 font-display text-xl tracking-tight">
              <BrandMark />
              Sungrove
            </span>
            <BrandMark className="size-16" />
            <BrandMark className="size-4" />
          </Row>
        )}
      </Specimen>
      <Specimen title="Color" note="Roles, not hues. A component names a role, and the theme decides its color.">
        {() => (
          <div className="grid gap-4">
            {Object.entries(colors).map(([group, names]) => (
              <div key={group}>
                <p className="mb-1.5 text-muted text-sm">{group}</p>
                <ul className="flex flex-wrap gap-3">
                  {names.map((name) => (
                    <li key={name} className="w-22 text-xs">
                      <span className={`mb-1 block h-10 rounded-input border border-line ${name}`} />
                      {name.slice(3)}
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        )}
      </Specimen>
      <Specimen title="Type" note="Fraunces for headings, Inter for text, and tabular numerals for figures that are compared.">
        {() => (
          <div className="grid gap-3">
            {scale.map((size, index) => (
              <p key={size} className={`${size} ${index < 5 ? 'font-display tracking-[-0.012em]' : ''} truncate`}>
                {index < 5 ? 'Your brand, your culture' : 'Ranked by rating, then license, then distance. 0123456789 at $39.99'}
              </p>
            ))}
            <p className="max-w-text">
              A line of text is at most 68 characters long. Letters with diacritics render in names: Łódź, São Paulo, Đorđe, Škoda. Links in
              text are{' '}
              <a href="#type" className={textLink}>
                underlined
              </a>
              .
            </p>
          </div>
        )}
      </Specimen>
      <Specimen title="Links">
        {() => (
          <Row>
            <a href="#links" className={textLink}>
              In text
            </a>
            <a href="#links" className={quietLink}>
              In a footer
            </a>
            <a href="#links" className={navLink}>
              In the header
            </a>
            <a href="#links" className={navLink} aria-current="page">
              The current page
            </a>
            <Button asChild variant="secondary">
              <a href="#links">As a button</a>
            </Button>
          </Row>
        )}
      </Specimen>
      <Specimen title="Avatars" note="Two initials on a color derived from the ID.">
        {() => (
          <>
            <Row label="Tones">
              {['Ana Gómez', 'Larimer Street', 'Bo', 'Clear Creek Growers', 'Ines Novak', 'Øystein Ås', 'Front Range Glass', 'Kim'].map(
                (name) => (
                  <Avatar key={name} id={name} name={name} />
                ),
              )}
            </Row>
            <Row label="Sizes, and a picture">
              {(['xs', 'sm', 'md', 'lg', 'xl'] as const).map((size) => (
                <Avatar key={size} id="sizes" name="High Plains" size={size} />
              ))}
              <Avatar id="image" name="Sungrove" imageUrl="/favicon.svg" size="lg" />
            </Row>
          </>
        )}
      </Specimen>
      <Specimen title="Covers" note="Drawn from the ID in brand tones. An ID always has the same cover, which is dimmed in dark mode.">
        {() => (
          <div className="grid gap-4">
            {businessTypes.map((type) => (
              <CoverRow key={type} type={type} />
            ))}
          </div>
        )}
      </Specimen>
      <Specimen title="Card">
        {() => (
          <div className="grid gap-4 sm:grid-cols-2">
            <Card>
              <CardBody>
                <h4 className="font-display text-lg">At rest</h4>
                <p className="text-muted text-sm">A hairline instead of a shadow.</p>
              </CardBody>
            </Card>
            <Card interactive>
              <CardBody>
                <h4 className="font-display text-lg">
                  <a href="#card" className={cardLink}>
                    Interactive
                  </a>
                </h4>
                <p className="text-muted text-sm">Clicking anywhere on the card opens its link.</p>
              </CardBody>
            </Card>
          </div>
        )}
      </Specimen>
      <Specimen title="Page header">
        {() => (
          <PageHeader title="Near Denver, Colorado" description="Ranked by rating, then license, then distance.">
            <Button>Post</Button>
          </PageHeader>
        )}
      </Specimen>
    </>
  )
}

function CoverRow({ type }: { type: BusinessType }) {
  return (
    <div>
      <p className="mb-1.5 text-muted text-sm">{businessTypeLabels[type]}</p>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {Array.from({ length: 8 }, (_, index) => `sample ${index} of ${type}`).map((id) => (
          <Cover key={id} id={id} type={type} className="rounded-input" />
        ))}
      </div>
    </div>
  )
}

export function Specimen({ title, note, children }: { title: string; note?: string; children: () => ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-3">
      <div>
        <h3 className="text-lg">{title}</h3>
        {note && <p className="max-w-text text-muted text-sm">{note}</p>}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme} data-theme={theme} className="min-w-0 rounded-card border border-line bg-ground p-4 text-ink sm:p-6">
            {children()}
          </div>
        ))}
      </div>
    </section>
  )
}

export function Row({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="not-first:mt-5">
      {label && <p className="mb-2 text-muted text-sm">{label}</p>}
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}
