/**
 * A line chart the height of a line of text, without axes. The zero line is dashed if any amount is negative.
 * @param label describes the amounts for screen readers
 */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const [width, height, edge] = [72, 22, 3]
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const x = (index: number): number => edge + (values.length > 1 ? (index / (values.length - 1)) * (width - 2 * edge) : 0)
  const y = (value: number): number => height - edge - (high > low ? (value - low) / (high - low) : 0) * (height - 2 * edge)
  return (
    <svg width={width} height={height} role="img" aria-label={label} style={{ verticalAlign: 'middle' }}>
      <title>{label}</title>
      <line x1={edge} x2={width - edge} y1={y(0)} y2={y(0)} stroke="var(--line)" strokeDasharray={low < 0 ? '2 2' : undefined} />
      <polyline
        points={values.map((value, index) => `${x(index)},${y(value)}`).join(' ')}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={1.6}
      />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r={2.2} fill="var(--accent)" />
    </svg>
  )
}
