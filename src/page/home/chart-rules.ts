/** The path of a line through values over equal times; a missing value interrupts the line. Pure. */
export function chartPath(values: (number | null)[], { width, height }: { width: number; height: number }): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return ''
  const most = Math.max(...known, 1)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let pen = 'M'
  let path = ''
  values.forEach((value, index) => {
    if (value === null) {
      pen = 'M'
      return
    }
    const y = height - 2 - (value / most) * (height - 4)
    path += `${pen}${round(index * step)} ${round(y)}`
    // A single value between gaps is a point.
    if (values[index + 1] == null && pen === 'M') path += 'h.1'
    pen = 'L'
  })
  return path
}

const round = (value: number) => Math.round(value * 10) / 10
