// Proposes the address of a new page from its title, until somebody writes one by hand.
(function () {
    var title = document.getElementById("id_title"), slug = document.getElementById("id_slug");
    var proposed = slug.value;
    title.addEventListener("input", function () {
        if (slug.value !== proposed) return;
        proposed = title.value.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 50);
        slug.value = proposed;
    });
})();
