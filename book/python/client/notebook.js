// Carry work away as a notebook, and bring one in.

const lines = (text) => text.split(/(?<=\n)/);

// The page's own notebook with the reader's code and what their cells gave.   cells: id -> {text, outputs or null}
export async function written(address, cells, progress) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the notebook answered ${answer.status}`);
  const notebook = await answer.json();
  for (const cell of notebook.cells) {
    const mine = cells.get(cell.id);
    if (!mine || cell.cell_type !== "code") continue;
    cell.source = lines(mine.text);
    if (mine.outputs) {
      cell.outputs = mine.outputs.map((
        o,
      ) => (o.output_type === "error"
        ? { output_type: "error", ename: o.ename, evalue: o.evalue, traceback: o.traceback }
        : o)
      );
    }
  }
  if (progress) notebook.metadata.attn_progress = progress;
  return notebook;
}

export function download(notebook, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify(notebook, null, 1)}\n`], { type: "application/x-ipynb+json" }),
  );
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A file of the reader's -> {texts: id -> code, progress}. Raises Error, in a sentence, where it is no notebook of this page.
export async function brought(file, ids) {
  let notebook;
  try {
    notebook = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not a notebook.`);
  }
  const code = (notebook.cells || []).filter((cell) => cell.cell_type === "code");
  const text = (cell) => (Array.isArray(cell.source) ? cell.source.join("") : String(cell.source ?? ""));
  const found = new Map(code.filter((cell) => ids.includes(cell.id)).map((cell) => [cell.id, text(cell)]));
  if (!found.size) throw new Error(`${file.name} has no cell of this page.`);
  return { texts: found, progress: notebook.metadata?.attn_progress };
}
