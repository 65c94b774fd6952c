/** Shown while a screen's code loads. The text is from the specification. */
export function LoadingScreen() {
  return (
    <p role="status" className="grid min-h-[50vh] place-items-center text-muted">
      Loading...
    </p>
  )
}
