/** For the router's `Link` or a plain `a`. For a link that looks like a button, use `<Button asChild>`. */

/** In running text. */
export const textLink =
  'rounded-tag font-medium text-leaf underline decoration-leaf/40 underline-offset-3 transition-colors hover:decoration-current'

/** In lists and footers that contain only links. */
export const quietLink = 'touch-target rounded-tag text-muted transition-colors hover:text-ink hover:underline hover:underline-offset-3'

/** For the header. The router marks the current link with `aria-current`. */
export const navLink =
  'relative inline-flex min-h-11 items-center rounded-tag px-1 font-medium text-muted transition-colors hover:text-ink aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-1 aria-[current]:after:-bottom-px aria-[current]:after:h-0.5 aria-[current]:after:rounded-full aria-[current]:after:bg-leaf'

/**
 * Extends a card's only link to the whole card. The card is `relative` (`<Card interactive>`); other controls on it need `relative z-1`.
 */
export const cardLink = 'card-link after:absolute after:inset-0 focus-visible:outline-none'
