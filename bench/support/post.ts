/** Writes to the admin API; anything but 201 is an error. */
export function posterOf(port: number, token: string): (path: string, body: object) => Promise<{ id: number }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return async (path, body) => {
    const url = `http://127.0.0.1:${port}/api/v1/admin${path}`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: number }
  }
}
