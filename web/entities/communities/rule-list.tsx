export function RuleList({ rules }: { rules: readonly string[] }) {
  return (
    <ol className="grid gap-2.5">
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules are known by their number
        <li key={index} className="flex gap-3 text-sm">
          <span aria-hidden="true" className="w-5 shrink-0 text-right font-display text-muted tabular-nums">
            {index + 1}
          </span>
          <span className="min-w-0 wrap-anywhere">{rule}</span>
        </li>
      ))}
    </ol>
  )
}
