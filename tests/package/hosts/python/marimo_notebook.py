import marimo

app = marimo.App()


@app.cell
def _():
    import json

    import marimo as mo
    import posenc

    return json, mo, posenc


@app.cell
def _(mo, posenc):
    golden = mo.ui.anywidget(posenc.Heatmap(length=280, dim=7))
    golden
    return (golden,)


@app.cell
def _(mo, posenc):
    # The how-to's snippet.
    ...
    return (heatmap,)


@app.cell
def _(mo, posenc):
    own = mo.ui.anywidget(posenc.Heatmap(table=[[1, 2, 3], [4, 5, 6]]))
    own
    return


@app.cell
def _(golden, heatmap, json):
    if golden.table is not None and heatmap.table is not None:
        golden.table.tofile("golden.bin")
        with open("said.json", "w") as file:
            json.dump([heatmap.widget.value, heatmap.table.shape], file)
    return


if __name__ == "__main__":
    app.run()
