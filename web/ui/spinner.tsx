/** A loading ring for buttons. Decorative: the button's text says what is happening. */
export function Spinner() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className="size-4.5 shrink-0 animate-spin motion-reduce:animate-none">
      <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" strokeWidth="2.25" opacity="0.28" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" fill="none" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  )
}
