import type { ComponentProps } from 'react'
import { AsChild } from './as-child.ts'
import { cx } from './cx.ts'

type CardProps = ComponentProps<'div'> & {
  /** Lifts on hover. Put `cardLink` (link-styles.ts) on the card's only link. */
  interactive?: boolean | undefined
  /** Styles the only child: `<Card asChild><article>…`. */
  asChild?: boolean | undefined
}

/** Has no padding, so pictures can reach its edges. Put text into a {@link CardBody}. */
export function Card({ interactive, asChild, className, ...props }: CardProps) {
  const Element = asChild ? AsChild : 'div'
  return (
    <Element
      className={cx(
        'relative overflow-clip rounded-card border border-line bg-surface',
        interactive &&
          'transition-[box-shadow,translate,border-color] hover:-translate-y-px hover:border-edge/60 hover:shadow-lift has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-offset-2 has-[.card-link:focus-visible]:outline-focus',
        className,
      )}
      {...props}
    />
  )
}

export function CardBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cx('p-4 sm:p-5', className)} {...props} />
}

export const floatingClass =
  'z-50 rounded-card border border-line bg-raised text-ink shadow-lift data-[state=closed]:animate-unfade data-[state=open]:animate-appear'
